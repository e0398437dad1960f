// Turns the arguments of a call into the typed text of a form: the opposite of reading them.
import type { Drafts } from './arguments.ts';
import type { Field } from './fields.ts';
import { valueText } from './value-text.ts';

/** Arguments that no field takes are left out. */
export function toDrafts(fields: readonly Field[], args: Readonly<Record<string, unknown>>): Drafts {
  const drafts: Record<string, string> = {};
  for (const field of fields) {
    const value = Object.hasOwn(args, field.name) ? args[field.name] : undefined;
    if (value !== undefined && value !== null) drafts[field.name] = toDraft(field, value);
  }
  return drafts;
}

function toDraft({ kind, choices }: Field, value: unknown): string {
  switch (kind) {
    case 'choice': {
      const at = choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(value));
      return at === -1 ? '' : String(at);
    }
    case 'lines':
      return Array.isArray(value) ? value.map(valueText).join('\n') : valueText(value);
    case 'json':
      return JSON.stringify(value, null, 2);
    default:
      return valueText(value);
  }
}
