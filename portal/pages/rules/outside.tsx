// Lets the person choose what holds after content from outside, and what is taken out of results.
import { useId, useState } from 'preact/hooks';
import { fetchIntegrations, type Integration } from '../../api/integrations.ts';
import type { Rule } from '../../api/policy.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ErrorNotice, explain } from '../../parts/error-notice.tsx';
import { Form } from '../../parts/form.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { useWork } from '../../parts/use-work.ts';
import { changeRules, type Owner } from '../../state/use-policy.ts';
import { useResource } from '../../state/use-resource.ts';
import { rulesTexts } from '../../texts/rules.ts';
import { IntegrationOptions } from './target-fields.tsx';
import {
  AFTER_OUTSIDE,
  afterOutsideOf,
  REDACTIONS,
  specialOf,
  withAfterOutside,
  without,
  withSpecial,
} from './outside-rules.ts';

const words = rulesTexts.outside;

interface Props {
  owner: Owner;
  rules: readonly Rule[];
}

export function OutsideRules({ owner, rules }: Props) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [problem, setProblem] = useState('');
  const name = useId();
  const chosen = afterOutsideOf(rules);
  const special = specialOf(rules);
  const { data: integrations = [] } = useResource('integrations', fetchIntegrations);
  const subjectOf = ({ integration, tool }: Rule): string =>
    tool ??
    integrations.find((each) => each.name === integration)?.displayName ??
    integration ??
    words.redact.everywhere;

  async function change(by: (now: readonly Rule[]) => readonly Rule[]): Promise<void> {
    setProblem('');
    const { ended } = await changeRules(owner, (now) => [...by(now)]);
    const more = owner === 'me' ? rulesTexts.ended(ended) : rulesTexts.endedForEveryone;
    setOutcome({ words: `${rulesTexts.saved} ${more}`.trim() });
  }

  return (
    <section class="panel outside-rules" aria-labelledby="outside">
      <h2 id="outside">{words.title}</h2>
      <p class="muted">{words.lead}</p>
      <fieldset class="choices preset-choices">
        <legend class="visually-hidden">{words.title}</legend>
        {[...AFTER_OUTSIDE, ...(chosen === 'own' ? (['own'] as const) : [])].map((each) => (
          <label key={each} class="choice">
            <input
              type="radio"
              name={name}
              checked={each === chosen}
              onChange={() => {
                if (each !== 'own')
                  void change((now) => withAfterOutside(now, each)).catch((error: unknown) =>
                    setProblem(explain(error)),
                  );
              }}
            />
            <span class="choice-name">{words.choices[each].name}</span>
            <span class="choice-about">{words.choices[each].about}</span>
          </label>
        ))}
      </fieldset>
      {problem !== '' && <ErrorNotice message={problem} />}
      <OutcomeLine outcome={outcome} />
      <h3>{words.redact.title}</h3>
      <p class="muted">{words.redact.lead}</p>
      <AddRedaction integrations={integrations} onAdd={(rule) => change((now) => withSpecial(now, rule))} />
      {special.length > 0 && (
        <ul class="rows">
          {special.map((rule) => (
            <li key={JSON.stringify(rule)} class="exception">
              <div class="exception-words">
                <h3>{subjectOf(rule)}</h3>
                <p class="muted">{sayEffect(rule)}</p>
              </div>
              <ActionButton
                label={rulesTexts.exceptions.remove}
                named={words.removeOf(`${subjectOf(rule)}, ${sayEffect(rule)}`)}
                onAct={() => change((now) => without(now, rule))}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function sayEffect({ access, redact, decision }: Rule): string {
  const effect = redact === undefined ? words.after[decision] : words.redact.effects[redact];
  return access === undefined ? effect : `${effect} · ${rulesTexts.exceptions.kinds[access]}`;
}

const EMPTY = { integration: '', redact: 'secrets' as NonNullable<Rule['redact']> };

function AddRedaction({
  integrations,
  onAdd,
}: {
  integrations: readonly Integration[];
  onAdd: (rule: Rule) => Promise<void>;
}) {
  const [draft, setDraft] = useState(EMPTY);
  const { busy, problem, run } = useWork();

  function add(): void {
    const { integration, redact } = draft;
    const where = integration === '' ? {} : { integration };
    void run(async () => {
      await onAdd({ ...where, redact, decision: 'allow' });
      setDraft(EMPTY);
    });
  }

  return (
    <Form
      class="exception-form"
      label={words.redact.title}
      busy={busy}
      problem={problem}
      submitLabel={rulesTexts.exceptions.doAdd}
      submitClass="button"
      isInline
      onSubmit={add}
    >
      <label class="field">
        {words.redact.from}
        <select
          value={draft.integration}
          onChange={({ currentTarget }) => setDraft({ ...draft, integration: currentTarget.value })}
        >
          <option value="">{words.redact.everywhere}</option>
          <IntegrationOptions integrations={integrations} />
        </select>
      </label>
      <label class="field">
        {words.redact.what}
        <select
          value={draft.redact}
          onChange={({ currentTarget }) =>
            setDraft({
              ...draft,
              redact: REDACTIONS.find((each) => each === currentTarget.value) ?? 'secrets',
            })
          }
        >
          {REDACTIONS.map((each) => (
            <option key={each} value={each}>
              {words.redact.kinds[each]}
            </option>
          ))}
        </select>
      </label>
    </Form>
  );
}
