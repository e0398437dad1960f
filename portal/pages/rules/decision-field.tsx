// Renders the field that says what a new rule decides.
import type { Decision } from '../../api/policy.ts';
import { rulesTexts } from '../../texts/rules.ts';
import { DECISIONS } from './rule-list.ts';

const words = rulesTexts.exceptions;

interface Props {
  value: Decision;
  onChange: (decision: Decision) => void;
}

export function DecisionField({ value, onChange }: Props) {
  return (
    <label class="field exception-decision">
      {words.decision}
      <select
        value={value}
        onChange={({ currentTarget }) =>
          onChange(DECISIONS.find((each) => each === currentTarget.value) ?? 'ask')
        }
      >
        {DECISIONS.map((decision) => (
          <option key={decision} value={decision}>
            {words.decisions[decision]}
          </option>
        ))}
      </select>
    </label>
  );
}
