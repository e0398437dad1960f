// Renders the form that trusts an issuer, with presets for those that people use.
import { useRef, useState } from 'preact/hooks';
import type { NamedKey } from '../../api/agent-keys.ts';
import { type TrustedIssuer, trustIssuer } from '../../api/machines.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { Chips } from '../../parts/chips.tsx';
import { focusField } from '../../parts/focus-field.ts';
import { Form } from '../../parts/form.tsx';
import { useWork } from '../../parts/use-work.ts';
import { machinesTexts } from '../../texts/machines.ts';
import { ABOUT, type Preset, PRESETS } from './presets.ts';
import { findRuleProblems, NEW_RULE, type RuleDraft, ruleOf } from './rules-draft.ts';
import { RulesFields } from './rules-fields.tsx';

const words = machinesTexts.form;
const CHOICES = PRESETS.map((value) => ({ value, label: ABOUT[value].label }));

interface Props {
  keys: readonly NamedKey[];
  onTrusted: (issuer: TrustedIssuer) => void;
  onCancel: () => void;
}

export function NewIssuer({ keys, onTrusted, onCancel }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [preset, setPreset] = useState<Preset>('github');
  const [name, setName] = useState(ABOUT.github.name);
  const [issuer, setIssuer] = useState(ABOUT.github.issuer);
  const [audience, setAudience] = useState(location.origin);
  const [rules, setRules] = useState<readonly RuleDraft[]>([NEW_RULE]);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const { busy, problem, setProblem, run } = useWork();
  const { sub, claims, note } = ABOUT[preset];

  function choose(value: string): void {
    const chosen = PRESETS.find((each) => each === value) ?? 'other';
    setPreset(chosen);
    // What the person has written stays.
    if (name === ABOUT[preset].name) setName(ABOUT[chosen].name);
    if (issuer === ABOUT[preset].issuer) setIssuer(ABOUT[chosen].issuer);
  }

  function submit(): void {
    const found = {
      ...(/^https?:\/\/./.test(issuer.trim()) ? {} : { issuer: words.issuerMissing }),
      ...(name.trim() === '' ? { name: machinesTexts.nameMissing } : {}),
      ...findRuleProblems(rules),
    };
    setProblem();
    setProblems(found);
    const [wrong] = Object.keys(found);
    if (wrong !== undefined) return focusField(form.current, wrong);
    const asked = { name: name.trim(), issuer: issuer.trim(), rules: rules.map(ruleOf) };
    void run(async () => {
      const heard = audience.trim();
      onTrusted(await trustIssuer({ ...asked, ...(heard === '' ? {} : { audience: heard }) }));
    });
  }

  return (
    <section class="panel" aria-labelledby="new-issuer">
      <h2 id="new-issuer">{words.title}</h2>
      <Form
        element={form}
        class="connect-form machine-form"
        busy={busy}
        problem={problem}
        submitLabel={words.submit}
        onSubmit={submit}
        onCancel={onCancel}
      >
        <div>
          <Chips label={words.preset} choices={CHOICES} chosen={preset} onChoose={choose} />
          <p class="machine-note">{note}</p>
        </div>
        <div class="machine-fields machine-fields-wide">
          <ConnectFieldRow
            field={{
              key: 'issuer',
              kind: 'text',
              label: words.issuer,
              required: true,
              placeholder: 'https://oidc.example.com',
              help: words.issuerHelp,
            }}
            value={issuer}
            problem={problems['issuer'] ?? ''}
            onChange={setIssuer}
          />
          <ConnectFieldRow
            field={{
              key: 'name',
              kind: 'text',
              label: machinesTexts.name,
              required: true,
              placeholder: words.namePlaceholder,
              help: words.nameHelp,
            }}
            value={name}
            problem={problems['name'] ?? ''}
            onChange={setName}
          />
          <ConnectFieldRow
            field={{
              key: 'audience',
              kind: 'text',
              label: words.audience,
              required: true,
              help: words.audienceHelp,
            }}
            value={audience}
            problem=""
            onChange={setAudience}
          />
        </div>
        {(sub !== '' || claims.length > 0) && (
          <p class="machine-note">
            {words.sends} <code>sub={sub}</code>
            {claims.map((claim) => (
              <span key={claim}>
                , <code>{claim}</code>
              </span>
            ))}
            .
          </p>
        )}
        <RulesFields rules={rules} keys={keys} example={sub} problems={problems} onChange={setRules} />
      </Form>
    </section>
  );
}
