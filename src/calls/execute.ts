// Executes one tool by its name, for the doors that call tools. decision: 036
import type { Integration, KnownCaller } from '../kit/integration.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import type { MakeCall } from './engine.ts';
import type { FindTool } from './find-tool.ts';
import type { InFlight } from './in-flight.ts';
import type { Outcome } from './outcome.ts';
import { createToolEffectOf, type ToolNeeds, type ToolRequest } from './tool-effect.ts';

export interface Execution extends ToolRequest {
  /** The name as the caller wrote it. */
  tool: string;
  /** The only integration to look in. Null looks in all of them. */
  within: Integration | null;
  /** The tool itself, where the door has found it: no name finds a tool that only pages call. */
  found?: RegisteredTool | undefined;
}

export type Execute = (caller: KnownCaller, execution: Execution) => Promise<Outcome>;

type Needs = ToolNeeds & { executions: InFlight; findTool: FindTool; makeCall: MakeCall };

export function createExecute(deps: Needs): Execute {
  const { executions, findTool, makeCall } = deps;
  const toolEffectOf = createToolEffectOf(deps);

  return async function execute(caller, execution) {
    const { tool, within } = execution;
    const asked = execution.found ?? findTool(caller, tool, within);
    const found = asked instanceof Promise ? await asked : asked;
    if (found === null) return { kind: 'tool-not-found', tool, within, integration: within?.name ?? null };
    executions.begin();
    try {
      return await makeCall(caller, toolEffectOf(found, execution));
    } finally {
      executions.end();
    }
  };
}
