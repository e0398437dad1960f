// Finds the tool that a caller names: by its name here, or by the name that its own server uses. reference: Execution rules
import type { Identity } from '../kit/actor.ts';
import type { Integration } from '../kit/integration.ts';
import { META_TOOL_NAMES } from '../kit/meta-tool-names.ts';
import type { Registries } from '../kit/registries.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import type { Gate } from '../policy/model/gate.ts';

/** `within` is the only integration to look in. Null looks in all of them. */
export type FindTool = (
  caller: Identity,
  name: string,
  within: Integration | null,
) => RegisteredTool | null | Promise<RegisteredTool | null>;

export function createFindTool({
  gate,
  registries,
}: {
  gate: Pick<Gate, 'permissionsOf'>;
  registries: Registries;
}): FindTool {
  /** Servers share such names, so it must be clear which tool is meant. */
  async function findBySource(caller: Identity, name: string): Promise<RegisteredTool | null> {
    if (META_TOOL_NAMES.includes(name)) return null;
    const meant = (await registries.of(caller.userId)).bySource(name);
    const [first = null] = meant;
    if (meant.length < 2) return first;
    const permissions = await gate.permissionsOf(caller);
    const [only = null, ...others] = meant.filter(
      ({ tool, integration }) => permissions.ofTool(integration, tool).decision !== 'block',
    );
    return others.length === 0 ? only : null;
  }

  return function findTool(caller, name, within) {
    const { builtIn } = registries;
    if (within === null) return builtIn.tool(name) ?? findAnywhere(caller, name);
    if (within.imported === undefined && within.isPersonal !== true) return builtIn.toolOf(within, name);
    return registries.of(caller.userId).then((registry) => registry.toolOf(within, name));
  };

  async function findAnywhere(caller: Identity, name: string): Promise<RegisteredTool | null> {
    return (await registries.tool(caller.userId, name)) ?? findBySource(caller, name);
  }
}
