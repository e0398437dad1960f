// Renders the fields that say what a rule is about: an integration, and all of its tools, a kind of them, or one.
import type { Integration } from '../../api/integrations.ts';
import type { Tool } from '../../api/tools.ts';
import { rulesTexts } from '../../texts/rules.ts';
import { LEVELS, type Target } from './rule-list.ts';

const words = rulesTexts.exceptions;

export interface TargetDraft {
  integration: string;
  what: string;
}

export const EMPTY_TARGET: TargetDraft = { integration: '', what: '' };

interface Props {
  target: TargetDraft;
  integrations: readonly Integration[];
  tools: readonly Tool[];
  /** What no integration means. */
  anywhere: string;
  isInvalid?: boolean;
  onChange: (target: TargetDraft) => void;
}

export function TargetFields({ target, integrations, tools, anywhere, isInvalid = false, onChange }: Props) {
  const { integration: chosen, what } = target;
  const own = tools.filter(({ integration }) => integration === chosen);
  return (
    <>
      <label class="field">
        {words.integration}
        <select
          value={chosen}
          aria-invalid={isInvalid}
          onChange={({ currentTarget }) => onChange({ integration: currentTarget.value, what: '' })}
        >
          <option value="">{anywhere}</option>
          <IntegrationOptions integrations={integrations} />
        </select>
      </label>
      <label class="field">
        {words.what}
        <select
          value={what}
          onChange={({ currentTarget }) => onChange({ integration: chosen, what: currentTarget.value })}
        >
          <option value="">{words.all}</option>
          {LEVELS.map((access) => (
            <option key={access} value={access}>
              {words.kinds[access]}
            </option>
          ))}
          {own.map(({ name }) => (
            <option key={name} value={`${TOOL}${name}`}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

/** Tells the name of a tool from the name of a kind. */
const TOOL = 'tool ';

export function targetOf({ integration, what }: TargetDraft): Target {
  const where = integration === '' ? {} : { integration };
  const access = LEVELS.find((each) => each === what);
  if (access !== undefined) return { ...where, access };
  return what.startsWith(TOOL) ? { ...where, tool: what.slice(TOOL.length) } : where;
}

/** The integrations to choose from, by their names. */
export function IntegrationOptions({ integrations }: { integrations: readonly Integration[] }) {
  const sorted = integrations.toSorted((one, other) => one.displayName.localeCompare(other.displayName));
  return (
    <>
      {sorted.map(({ name, displayName }) => (
        <option key={name} value={name}>
          {displayName}
        </option>
      ))}
    </>
  );
}
