// Turns typed text into the arguments of a call, and the gateway's refusal into an error for each field.
import { texts } from '../../../texts/texts.ts';
import type { Field } from './fields.ts';

/** The typed text of each field. The call leaves out empty fields. */
export type Drafts = Readonly<Record<string, string>>;
export type Problems = Readonly<Record<string, string>>;

type Read = { ok: true; value: unknown } | { ok: false; problem: string };

export function toArguments(
  fields: readonly Field[],
  drafts: Drafts,
): { args: Record<string, unknown>; problems: Problems } {
  const args: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const draft = drafts[field.name] ?? '';
    if (draft === '') {
      if (field.required) problems[field.name] = texts.tools.missingValue;
      continue;
    }
    const read = readDraft(field, draft);
    if (read.ok) args[field.name] = read.value;
    else problems[field.name] = read.problem;
  }
  return { args, problems };
}

function readDraft(field: Field, draft: string): Read {
  switch (field.kind) {
    case 'text':
    case 'long-text':
      return { ok: true, value: draft };
    case 'file':
      return { ok: true, value: draft.trim() };
    case 'number':
    case 'integer':
      return readNumber(field.kind, draft);
    case 'boolean':
      return { ok: true, value: draft === 'true' };
    case 'choice':
      return { ok: true, value: field.choices[Number(draft)] };
    case 'lines':
      return readLines(field, draft);
    case 'json':
      return readJson(draft);
  }
}

function readNumber(kind: 'number' | 'integer', draft: string): Read {
  const value = Number(draft.trim());
  if (draft.trim() === '' || !Number.isFinite(value)) return { ok: false, problem: texts.tools.notNumber };
  if (kind === 'integer' && !Number.isInteger(value)) return { ok: false, problem: texts.tools.notInteger };
  return { ok: true, value };
}

function readLines({ each }: Field, draft: string): Read {
  const lines = draft.split('\n').filter((line) => line.trim() !== '');
  if (each === 'text') return { ok: true, value: lines };
  const values = lines.map((line) => readNumber(each, line));
  const wrong = values.find((value) => !value.ok);
  return wrong ?? { ok: true, value: values.map((value) => value.ok && value.value) };
}

function readJson(draft: string): Read {
  try {
    return { ok: true, value: JSON.parse(draft) };
  } catch {
    return { ok: false, problem: texts.tools.notJson };
  }
}

/** Splits a refusal such as "name: too short; age: not a number" by field. No field can show `rest`. */
export function problemsIn(answer: string, fields: readonly Field[]): { problems: Problems; rest: string } {
  const problems: Record<string, string> = {};
  const rest: string[] = [];
  for (const part of messageOf(answer)
    .replace(/^Invalid arguments for \S+: /, '')
    .split('; ')) {
    const at = part.indexOf(': ');
    const name = part.slice(0, at).split('.')[0] ?? '';
    if (at > 0 && fields.some((field) => field.name === name)) problems[name] = part.slice(at + 2);
    else rest.push(part);
  }
  return { problems, rest: rest.join('; ') };
}

function messageOf(answer: string): string {
  try {
    const body: unknown = JSON.parse(answer);
    if (typeof body !== 'object' || body === null || !('error' in body)) return '';
    return typeof body.error === 'string' ? body.error : '';
  } catch {
    return '';
  }
}
