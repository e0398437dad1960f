// Shows the rules for everyone to a person who cannot change them here.
import { fetchIntegrations } from '../../api/integrations.ts';
import type { Rule } from '../../api/policy.ts';
import { fetchTools } from '../../api/tools.ts';
import { useResource } from '../../state/use-resource.ts';
import { rulesTexts } from '../../texts/rules.ts';
import { DecisionMark } from './decision-button.tsx';
import { describeLevels } from './describe-levels.ts';
import { showExceptions } from './exception-list.ts';
import { groupRulesOf, sayGroups, sayRule } from './group-rules.ts';
import { levelsOf } from './rule-list.ts';

const words = rulesTexts.everyone;

export function RulesForEveryone({ rules }: { rules: readonly Rule[] }) {
  const { data: integrations = [] } = useResource('integrations', fetchIntegrations);
  const { data: tools = [] } = useResource('tools', fetchTools);
  const exceptions = [
    ...showExceptions(rules, integrations, tools),
    ...groupRulesOf(rules).map((rule) => ({
      key: JSON.stringify(rule),
      subject: sayRule(rule, integrations, tools),
      detail: sayGroups(rule),
      decision: rule.decision,
    })),
  ];
  return (
    <section class="panel rules-everyone" aria-labelledby="for-everyone">
      <h2 id="for-everyone">{words.title}</h2>
      <p class="muted">
        {words.levels(describeLevels(levelsOf(rules)))} {words.lead}
      </p>
      {exceptions.length > 0 && (
        <details>
          <summary>
            {words.exceptions} <span class="section-count">{exceptions.length}</span>
          </summary>
          <ul>
            {exceptions.map(({ key, subject, detail, decision }) => (
              <li key={key}>
                <DecisionMark decision={decision} />
                <span>
                  {rulesTexts.decided[decision]}: {subject}
                  {detail !== '' && <span class="muted"> · {detail}</span>}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
