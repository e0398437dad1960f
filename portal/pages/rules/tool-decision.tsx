// Shows what is decided about a tool, and lets the person decide otherwise.
import type { Decision } from '../../api/policy.ts';
import { rulesTexts } from '../../texts/rules.ts';
import type { MenuContent, MenuControl } from './choice-menu.tsx';
import { DecisionButton } from './decision-button.tsx';
import { DECISIONS, stricter } from './rule-list.ts';
import type { DecidableTool, Outlook, ToolDecision } from './tool-decisions.ts';

const words = rulesTexts.tool;
const AS_RULES = 'rules';

interface Props {
  tool: DecidableTool;
  /** Undefined until it is known. */
  now: ToolDecision | undefined;
  control: MenuControl;
  onDecide: (tool: DecidableTool, decision: Decision | null) => void;
}

export function ToolDecisionButton({ tool, now, control, onDecide }: Props) {
  if (now === undefined) return <span class="decision" />;
  const { decision, by, usual, after } = now;
  const source = decision === 'depends' ? words.byRequest : words.by[by];
  return (
    <DecisionButton
      decision={decision}
      named={words.change(tool.name, rulesTexts.decided[decision], source)}
      // Most tools follow the switch of their integration, and a word in every row helps nobody.
      by={sayMore(decision === usual && by === 'rules' ? undefined : source, after)}
      isOwn={by === 'tool'}
      control={control}
      content={() => menuOf(tool, now, (chosen) => onDecide(tool, chosen))}
    />
  );
}

function sayMore(source: string | undefined, after: ToolDecision['after']): string | undefined {
  const said = [source, after === null ? undefined : rulesTexts.outside.shortly[after]];
  return said.filter((each) => each !== undefined).join(' · ') || undefined;
}

function menuOf(
  { name }: DecidableTool,
  { own, otherwise, least, after, redact }: ToolDecision,
  onChoose: (decision: Decision | null) => void,
): MenuContent {
  return {
    title: words.menu(name),
    chosen: own ?? AS_RULES,
    choices: [
      {
        value: AS_RULES,
        label: words.asRules,
        about: words.now(rulesTexts.decided[withLeast(otherwise, least)]),
        isClosed: false,
      },
      ...DECISIONS.map((decision) => ({
        value: decision,
        label: rulesTexts.decisions[decision],
        about: words.about[decision],
        isClosed: stricter(decision, least) !== decision,
      })),
    ],
    note: [
      ...(otherwise === 'depends' ? [words.request] : []),
      ...(least === 'allow' ? [] : [words.everyone]),
      ...(after === null ? [] : [`${rulesTexts.outside.after[after]}.`]),
      ...redact.map((each) => `${rulesTexts.outside.redact.effects[each]} of its results.`),
    ].join(' '),
    onChoose: (value) => onChoose(DECISIONS.find((decision) => decision === value) ?? null),
  };
}

const withLeast = (outlook: Outlook, least: Decision): Outlook =>
  outlook === 'depends' ? outlook : stricter(least, outlook);
