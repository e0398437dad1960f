// Lists the rules for groups, and lets an administrator add and remove one.
import { useId, useState } from 'preact/hooks';
import { fetchIntegrations } from '../../api/integrations.ts';
import type { Decision, Rule } from '../../api/policy.ts';
import { fetchTools } from '../../api/tools.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Form } from '../../parts/form.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { useWork } from '../../parts/use-work.ts';
import { useKept } from '../../state/use-kept.ts';
import { changeRules } from '../../state/use-policy.ts';
import { useResource } from '../../state/use-resource.ts';
import { rulesTexts } from '../../texts/rules.ts';
import { DecisionMark } from './decision-button.tsx';
import { DecisionField } from './decision-field.tsx';
import { groupRulesOf, sayGroups, sayRule, withGroupRule, withoutGroupRule } from './group-rules.ts';
import { EMPTY_TARGET, targetOf, TargetFields } from './target-fields.tsx';

const words = rulesTexts.groups;
const EMPTY = { ...EMPTY_TARGET, group: '', decision: 'ask' as Decision };

interface Props {
  rules: readonly Rule[];
  /** The groups that a sign-in or a directory has named. */
  known: readonly string[];
}

export function RulesForGroups({ rules, known }: Props) {
  const { data: integrations = [] } = useResource('integrations', fetchIntegrations);
  const { data: tools = [] } = useResource('tools', fetchTools);
  const [outcome, setOutcome] = useState<Outcome>();
  const [draft, setDraft] = useKept('rule for a group', EMPTY);
  const { busy, problem, setProblem, run } = useWork();
  const groupNames = useId();
  const grouped = groupRulesOf(rules);
  // A gateway whose provider tells no groups has no use for them.
  if (known.length === 0 && grouped.length === 0) return null;
  const named = [...new Set([...known, ...grouped.flatMap(({ groups = [] }) => groups)])].toSorted();

  async function change(by: (now: readonly Rule[]) => Rule[], more = ''): Promise<void> {
    await changeRules('everyone', by);
    setOutcome({ words: `${rulesTexts.saved} ${rulesTexts.endedForEveryone} ${more}`.trim() });
  }

  function add(): void {
    const group = draft.group.trim();
    if (group === '') return setProblem({ message: words.missing });
    void run(async () => {
      const target = targetOf(draft);
      const unknown = named.includes(group) ? '' : words.unknown(group);
      await change((now) => withGroupRule(now, group, target, draft.decision), unknown);
      setDraft(EMPTY);
    });
  }

  return (
    <section class="section group-rules" aria-labelledby="for-groups">
      <h2 id="for-groups" class="section-title">
        {words.title} <span class="section-count">{grouped.length}</span>
      </h2>
      <p class="section-note">{words.lead}</p>
      <Form
        class="exception-form"
        label={words.add}
        busy={busy}
        problem={problem}
        submitLabel={rulesTexts.exceptions.doAdd}
        submitClass="button"
        isInline
        onSubmit={add}
      >
        <label class="field">
          {words.group}
          <input
            list={groupNames}
            value={draft.group}
            maxLength={255}
            autoComplete="off"
            spellcheck={false}
            aria-invalid={problem !== undefined && draft.group.trim() === ''}
            onInput={({ currentTarget }) => {
              setProblem();
              setDraft({ ...draft, group: currentTarget.value });
            }}
          />
          <datalist id={groupNames}>
            {named.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </label>
        <TargetFields
          target={draft}
          integrations={integrations}
          tools={tools}
          anywhere={words.everywhere}
          onChange={(target) => setDraft({ ...draft, ...target })}
        />
        <DecisionField value={draft.decision} onChange={(decision) => setDraft({ ...draft, decision })} />
      </Form>
      <OutcomeLine outcome={outcome} />
      {grouped.length === 0 ? (
        <p class="muted exceptions-none">{words.none}</p>
      ) : (
        <ul class="rows">
          {grouped.map((rule) => {
            const what = sayRule(rule, integrations, tools);
            const whole = `${rulesTexts.decided[rule.decision]}: ${what}, ${sayGroups(rule)}`;
            return (
              <li key={JSON.stringify(rule)} class="exception group-rule">
                <div class="exception-words">
                  <h3>
                    <DecisionMark decision={rule.decision} /> {rulesTexts.decided[rule.decision]}: {what}
                  </h3>
                  <p class="muted">{sayGroups(rule)}</p>
                </div>
                <ActionButton
                  label={rulesTexts.exceptions.remove}
                  named={words.removeOf(whole)}
                  onAct={() => change((now) => withoutGroupRule(now, rule))}
                />
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
