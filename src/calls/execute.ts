// Executes one tool by its name, for the doors that call tools. decision: 036
import type { Integration, KnownCaller } from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import type { MakeCall } from './engine.ts';
import type { InFlight } from './in-flight.ts';
import type { Outcome } from './outcome.ts';
import { createToolEffectOf, type ToolNeeds, type ToolRequest } from './tool-effect.ts';

export interface Execution extends ToolRequest {
  /** The name as the caller wrote it. */
  tool: string;
  /** The only integration to look in. Null looks in all of them. */
  within: Integration | null;
}

export type Execute = (caller: KnownCaller, execution: Execution) => Promise<Outcome>;

type Needs = ToolNeeds & { executions: InFlight; makeCall: MakeCall; registries: Registries };

export function createExecute(deps: Needs): Execute {
  const { executions, makeCall, registries } = deps;
  const toolEffectOf = createToolEffectOf(deps);

  async function findImported(userId: string, { tool, within }: Execution): Promise<RegisteredTool | null> {
    if (within === null) return registries.tool(userId, tool);
    return within.imported === undefined ? null : (await registries.of(userId)).toolOf(within, tool);
  }

  return async function execute(caller, execution) {
    const { tool, within } = execution;
    const { builtIn } = registries;
    const found =
      (within === null ? builtIn.tool(tool) : builtIn.toolOf(within, tool)) ??
      (await findImported(caller.userId, execution));
    if (found === null) return { kind: 'tool-not-found', tool, within, integration: within?.name ?? null };
    executions.begin();
    try {
      return await makeCall(caller, toolEffectOf(found, execution));
    } finally {
      executions.end();
    }
  };
}
