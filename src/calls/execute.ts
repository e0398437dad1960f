// Executes one tool by its name, for the doors that call tools. decision: 036
import type { AuditRecorder } from '../record/model/recorder.ts';
import type { CallDetails } from '../record/details/details.ts';
import type { Integration, KnownCaller } from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import type { CallCounts } from '../memory/per-person.ts';
import type { Ports } from '../ports/ports.ts';
import { createMakeCall } from './engine.ts';
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

type Needs = ToolNeeds &
  Pick<Ports, 'metrics'> & {
    audit: AuditRecorder;
    callDetails: CallDetails;
    calls: CallCounts;
    executions: InFlight;
    registries: Registries;
  };

export function createExecute(deps: Needs): Execute {
  const { executions, registries } = deps;
  const makeCall = createMakeCall(deps);
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
