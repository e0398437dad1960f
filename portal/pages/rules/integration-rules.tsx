// Lets the person decide about a whole integration, and says what else is decided about it.
import { useState } from 'preact/hooks';
import type { Decision, Rule } from '../../api/policy.ts';
import type { Access } from '../../api/tools.ts';
import { explain, ErrorNotice } from '../../parts/error-notice.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { Link } from '../../router/link.tsx';
import { rulesTexts } from '../../texts/rules.ts';
import { describeDecisions, describeLevels } from './describe-levels.ts';
import { DECISIONS, isSameTarget, LEVELS, levelsOf, withRule } from './rule-list.ts';
import type { DecidableTool } from './tool-decisions.ts';
import type { Decisions } from './use-decisions.ts';
import '../../styles/decisions.css';

const words = rulesTexts.integration;
const CHOICES = ['rules', ...DECISIONS] as const;
type Choice = (typeof CHOICES)[number];

interface Props {
  name: string;
  displayName: string;
  tools: readonly DecidableTool[];
  decisions: Decisions;
}

export function IntegrationRules({ name, displayName, tools, decisions }: Props) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [problem, setProblem] = useState('');
  const rules = decisions.rules.data?.rules;
  const chosen: Choice =
    rules?.find((rule) => isSameTarget(rule, { integration: name }))?.decision ?? 'rules';

  async function choose(choice: Choice): Promise<void> {
    if (choice === chosen) return;
    setProblem('');
    setOutcome(undefined);
    try {
      const ended = await decisions.change((all) =>
        withRule(all, { integration: name }, choice === 'rules' ? null : choice),
      );
      setOutcome({ words: `${words.saved[choice](displayName)} ${ended}`.trim() });
    } catch (error) {
      setProblem(explain(error));
    }
  }

  return (
    <section class="panel integration-rules" aria-labelledby="agents-may">
      <div class="panel-line">
        <div>
          <h2 id="agents-may">{words.title}</h2>
          <NotLoaded of={[decisions.rules, decisions.decided]} />
          {rules !== undefined && (
            <p class="muted">
              {explainChoice(chosen, rules, displayName)} {describeMore(name, tools, decisions, rules)}{' '}
              <Link href="/rules">{words.link}</Link>
            </p>
          )}
        </div>
        {rules !== undefined && (
          <div class="segments decision-segments" role="group" aria-label={words.label(displayName)}>
            {CHOICES.map((choice) => (
              <button
                key={choice}
                type="button"
                aria-pressed={choice === chosen}
                onClick={() => void choose(choice)}
              >
                {words.choices[choice]}
              </button>
            ))}
          </div>
        )}
      </div>
      <OutcomeLine outcome={outcome} />
      {problem !== '' && <ErrorNotice message={problem} />}
    </section>
  );
}

function explainChoice(choice: Choice, rules: readonly Rule[], displayName: string): string {
  return choice === 'rules'
    ? words.about.rules(describeLevels(levelsOf(rules)))
    : words.about[choice](displayName);
}

/** Says what differs from the choice: rules for tools, rules for kinds of tools, and stricter rules for everyone. */
function describeMore(
  name: string,
  tools: readonly DecidableTool[],
  decisions: Decisions,
  rules: readonly Rule[],
): string {
  const decided = tools.map((tool) => decisions.of(tool));
  const own = decided.filter((each) => each !== undefined && each.own !== null).length;
  const forEveryone = decided.filter((each) => each?.by === 'everyone').length;
  const kinds = LEVELS.flatMap((access) => kindOf(name, access, rules) ?? []);
  return [
    ...(own === 0 ? [] : [words.exceptions(own)]),
    ...(kinds.length === 0 ? [] : [words.kinds(describeDecisions(kinds))]),
    ...(forEveryone === 0 ? [] : [words.everyone(forEveryone)]),
  ].join(' ');
}

function kindOf(integration: string, access: Access, rules: readonly Rule[]): string | undefined {
  const decision: Decision | undefined = rules.find((rule) =>
    isSameTarget(rule, { integration, access }),
  )?.decision;
  return decision && rulesTexts.levelDecisions[access][decision];
}
