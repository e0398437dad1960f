// Loads what is decided about the tools of one integration, and changes it.
import { useMemo, useState } from 'preact/hooks';
import { type DecidedTool, fetchDecisions } from '../../api/integrations.ts';
import type { Decision, Rule, RulesInForce } from '../../api/policy.ts';
import { explain } from '../../parts/error-notice.tsx';
import { changeRules, useRules } from '../../state/use-policy.ts';
import { type Resource, useResource } from '../../state/use-resource.ts';
import { rulesTexts } from '../../texts/rules.ts';
import { withTool } from './rule-list.ts';
import { type DecidableTool, decideTools, type ToolDecision } from './tool-decisions.ts';

export interface SaidOfTool {
  tool: string;
  words: string;
  isBad: boolean;
}

export interface Decisions {
  rules: Resource<RulesInForce>;
  /** The gateway's own answers, for `NotLoaded`. */
  decided: Resource<readonly DecidedTool[]>;
  /** Returns undefined until everything is loaded. */
  of: (tool: DecidableTool) => ToolDecision | undefined;
  /** Returns what to say about the calls that the change has ended. */
  change: (change: (rules: readonly Rule[]) => Rule[]) => Promise<string>;
  changeTool: (tool: DecidableTool, decision: Decision | null) => void;
  /** What came of the last change of a tool. */
  said: SaidOfTool | undefined;
}

/** An empty name loads nothing. */
export function useDecisions(integration: string): Decisions {
  const rules = useRules();
  const decided = useResource(`decisions ${integration}`, () =>
    integration === '' ? Promise.resolve([]) : fetchDecisions(integration),
  );
  const [said, setSaid] = useState<Decisions['said']>();
  const decide = useMemo(
    () => rules.data && decided.data && decideTools(integration, rules.data.rules, decided.data),
    [integration, rules.data, decided.data],
  );

  async function change(by: (rules: readonly Rule[]) => Rule[]): Promise<string> {
    const { ended } = await changeRules('me', by);
    decided.reload();
    return rulesTexts.ended(ended);
  }

  async function changeTool({ name, access }: DecidableTool, decision: Decision | null): Promise<void> {
    setSaid(undefined);
    try {
      const subject = { integration, tool: name, access };
      const ended = await change((all) => withTool(all, subject, decision));
      const done = rulesTexts.tool.saved[decision ?? 'rules'](name);
      setSaid({ tool: name, words: `${done} ${ended}`.trim(), isBad: false });
    } catch (error) {
      setSaid({ tool: name, words: explain(error), isBad: true });
    }
  }

  return {
    rules,
    decided,
    said,
    change,
    changeTool: (tool, decision) => void changeTool(tool, decision),
    of: (tool) => decide?.(tool),
  };
}
