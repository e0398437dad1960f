// Renders the fields of an issuer's rules: a subject, other claims and a key for each.
import type { NamedKey } from '../../api/agent-keys.ts';
import type { BoundKey } from '../../api/machines.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { machinesTexts } from '../../texts/machines.ts';
import { KeySelect } from './key-select.tsx';
import { NEW_RULE, type RuleDraft } from './rules-draft.ts';

const words = machinesTexts.form;

interface Props {
  rules: readonly RuleDraft[];
  keys: readonly NamedKey[];
  /** The keys that the stored rules name. */
  kept?: readonly BoundKey[];
  /** An example of a subject. */
  example: string;
  problems: Readonly<Record<string, string>>;
  onChange: (rules: RuleDraft[]) => void;
}

export function RulesFields({ rules, keys, kept = [], example, problems, onChange }: Props) {
  const change = (at: number, part: Partial<RuleDraft>) =>
    onChange(rules.map((rule, index) => (index === at ? { ...rule, ...part } : rule)));
  return (
    <div class="machine-rules">
      <div>
        <h3>{words.rules}</h3>
        <p class="muted">{words.rulesLead}</p>
      </div>
      {rules.map((rule, at) => (
        <fieldset key={at} class="machine-rule">
          <legend>{words.rule(at + 1)}</legend>
          <ConnectFieldRow
            field={{
              key: `${at} sub`,
              kind: 'text',
              label: words.sub,
              required: true,
              placeholder: example,
              help: words.subHelp,
            }}
            value={rule.sub}
            problem={problems[`${at} sub`] ?? ''}
            onChange={(sub) => change(at, { sub })}
          />
          <ConnectFieldRow
            field={{
              key: `${at} claims`,
              kind: 'json',
              label: words.claims,
              required: false,
              help: words.claimsHelp,
            }}
            value={rule.claims}
            problem={problems[`${at} claims`] ?? ''}
            onChange={(claims) => change(at, { claims })}
          />
          <KeySelect
            keys={keys}
            kept={kept.find(({ id }) => id === rule.key)}
            name={`${at} key`}
            chosen={rule.key}
            problem={problems[`${at} key`] ?? ''}
            onChoose={(key) => change(at, { key })}
          />
          {rules.length > 1 && (
            <p>
              <button
                type="button"
                class="link-button quiet-button"
                aria-label={words.removeRule(at + 1)}
                onClick={() => onChange(rules.toSpliced(at, 1))}
              >
                {words.remove}
              </button>
            </p>
          )}
        </fieldset>
      ))}
      <p>
        <button type="button" class="button" onClick={() => onChange([...rules, NEW_RULE])}>
          <Icon name="add" />
          {words.addRule}
        </button>
      </p>
    </div>
  );
}
