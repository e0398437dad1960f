// Renders a trusted issuer with its rules: which subjects act with which key, and when they last did.
import { useState } from 'preact/hooks';
import type { NamedKey } from '../../api/agent-keys.ts';
import { changeTrustedIssuer, type TrustedIssuer, type TrustedRule } from '../../api/machines.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { LastUse } from '../../parts/last-use.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Row } from '../../parts/row.tsx';
import { useWork } from '../../parts/use-work.ts';
import { machinesTexts } from '../../texts/machines.ts';
import { BoundKeyLine } from './bound-key.tsx';
import { draftOf, findRuleProblems, NEW_RULE, type RuleDraft, ruleOf } from './rules-draft.ts';
import { RulesFields } from './rules-fields.tsx';

const words = machinesTexts.issuers;
const form = machinesTexts.form;

interface Props {
  of: TrustedIssuer;
  keys: readonly NamedKey[];
  onChanged: (issuer: TrustedIssuer) => void;
  onEnd: () => Promise<void>;
}

export function IssuerRow({ of: trusted, keys, onChanged, onEnd }: Props) {
  const { name, issuer, audience, createdAt, rules } = trusted;
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <Row
        name={name}
        heading="h2"
        id={issuer}
        facts={
          <>
            <span>
              {words.audience} {audience}
            </span>
            <span>
              {machinesTexts.created} <RelativeTime at={createdAt} />
            </span>
          </>
        }
        after={
          rules.length === 0 ? (
            <p>
              <Lamp colour="amber">{words.noRules}</Lamp>
            </p>
          ) : (
            <ul class="machine-rule-list" aria-label={words.rulesOf(name)}>
              {rules.map((rule) => (
                <RuleLine key={rule.id} of={rule} />
              ))}
            </ul>
          )
        }
        actions={
          <div class="row">
            <button
              type="button"
              class="button"
              aria-label={words.changeOf(name)}
              onClick={() => setChanging(true)}
            >
              {words.change}
            </button>
            <ConfirmButton
              label={machinesTexts.end}
              named={machinesTexts.endOf(name)}
              title={machinesTexts.endTitle(name)}
              onConfirm={onEnd}
            >
              <p>{words.endEffect}</p>
              <p>{words.endLeft}</p>
            </ConfirmButton>
          </div>
        }
      />
      {isChanging && (
        <Dialog title={words.changeTitle(name)} onClose={() => setChanging(false)}>
          {(close) => <ChangeForm of={trusted} keys={keys} onChanged={onChanged} onClose={close} />}
        </Dialog>
      )}
    </>
  );
}

function RuleLine({ of: { sub, claims, key, warnings, lastUsedAt } }: { of: TrustedRule }) {
  return (
    <li>
      <p>
        <code>{sub}</code>
        {Object.entries(claims).map(([claim, pattern]) => (
          <span key={claim}>
            {' '}
            {words.claimsOf} <code>{`${claim}=${pattern}`}</code>
          </span>
        ))}
      </p>
      <BoundKeyLine of={key} />
      {warnings.map((warning) => (
        <p key={warning}>
          <Lamp colour="amber">{warning}</Lamp>
        </p>
      ))}
      <p class="muted">
        <LastUse words={machinesTexts} at={lastUsedAt} />
      </p>
    </li>
  );
}

function ChangeForm({
  of: { id, rules: stored },
  keys,
  onChanged,
  onClose,
}: Pick<Props, 'of' | 'keys' | 'onChanged'> & { onClose: () => void }) {
  const [rules, setRules] = useState<readonly RuleDraft[]>(
    stored.length === 0 ? [NEW_RULE] : stored.map(draftOf),
  );
  const [problems, setProblems] = useState<Record<string, string>>({});
  const { busy, problem, setProblem, run } = useWork();

  function submit(): void {
    const found = findRuleProblems(rules);
    setProblem();
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    void run(async () => {
      onChanged(await changeTrustedIssuer(id, { rules: rules.map(ruleOf) }));
      onClose();
    });
  }

  return (
    <Form
      class="connect-form"
      busy={busy}
      problem={problem}
      submitLabel={form.save}
      onSubmit={submit}
      onCancel={onClose}
    >
      <RulesFields
        rules={rules}
        keys={keys}
        kept={stored.map(({ key }) => key)}
        example=""
        problems={problems}
        onChange={setRules}
      />
    </Form>
  );
}
