// Leaves out of every list what its caller may not use. reference: Rules; decision: 038
import { ErrorCode } from '../../http/error-codes.ts';
import type { Identity } from '../../kit/actor.ts';
import type { Integration, Tool } from '../../kit/integration.ts';
import type { Registries } from '../../kit/registries.ts';
import type { RegisteredTool, Registry } from '../../kit/registry.ts';
import type { Gate } from './gate.ts';
import type { Permissions, Verdict } from './permissions.ts';

/** What a caller may use of a registry. */
export type Visible = Pick<Registry, 'integrations' | 'tools' | 'integration' | 'tool' | 'toolsOf'>;

/** The answer about something that is blocked, as `execute` gives it. */
export interface Blocked {
  error: typeof ErrorCode.BLOCKED;
  integration: string;
  message: string;
}

export interface VisibleTools {
  tools: readonly Tool[];
  permissions: Permissions;
}

export interface Visibility {
  /** What the caller may use. It is the registry itself for a caller without rules and limits. */
  of(caller: Identity): Promise<Visible>;
  /** The tools of the integration that the caller may use. */
  toolsOf(caller: Identity, integration: Integration): Promise<VisibleTools | Blocked>;
  /** The answer about an integration of which the caller may use nothing; null for every other name. */
  refusal(caller: Identity, name: string): Promise<Blocked | null>;
}

type Needs = { gate: Pick<Gate, 'permissionsOf' | 'blockedText'>; registries: Registries };

export function createVisibility({ gate, registries }: Needs): Visibility {
  async function toolsOf(caller: Identity, integration: Integration): Promise<VisibleTools | Blocked> {
    const [tools, permissions] = await Promise.all([
      registries.toolsOf(caller.userId, integration),
      gate.permissionsOf(caller),
    ]);
    if (permissions.isOpen) return { tools, permissions };
    const verdict = whyBlocked(permissions, integration, tools);
    if (verdict !== null)
      return describeBlocked(integration, gate.blockedText(verdict, integration.displayName));
    return { tools: tools.filter((tool) => isVisible(permissions, integration, tool)), permissions };
  }

  return {
    async of(caller) {
      const [registry, permissions] = await Promise.all([
        registries.of(caller.userId),
        gate.permissionsOf(caller),
      ]);
      return visibleIn(registry, permissions);
    },

    toolsOf,

    async refusal(caller, name) {
      if ((await gate.permissionsOf(caller)).isOpen) return null;
      const integration = await registries.integration(caller.userId, name);
      if (integration === null) return null;
      const visible = await toolsOf(caller, integration);
      return 'error' in visible ? visible : null;
    },
  };
}

export const describeBlocked = ({ name }: Pick<Integration, 'name'>, message: string): Blocked => ({
  error: ErrorCode.BLOCKED,
  integration: name,
  message,
});

/** Copies nothing and decides nothing before it is asked. */
export function visibleIn(registry: Registry, permissions: Permissions): Visible {
  if (permissions.isOpen) return registry;
  let integrations: readonly Integration[] | undefined;
  const isShown = ({ tool, integration }: RegisteredTool): boolean =>
    isVisible(permissions, integration, tool);
  const hasAny = (integration: Integration): boolean =>
    whyBlocked(permissions, integration, registry.toolsOf(integration)) === null;
  return {
    get integrations() {
      return (integrations ??= registry.integrations.filter(hasAny));
    },
    get tools() {
      return registry.tools.filter(isShown);
    },
    integration(name) {
      const found = registry.integration(name);
      return found !== null && hasAny(found) ? found : null;
    },
    tool(name) {
      const found = registry.tool(name);
      return found !== null && isShown(found) ? found : null;
    },
    toolsOf: (integration) =>
      registry.toolsOf(integration).filter((tool) => isVisible(permissions, integration, tool)),
  };
}

const isVisible = (permissions: Permissions, integration: Integration, tool: Tool): boolean =>
  permissions.ofTool(integration, tool).decision !== 'block';

/** Returns what blocks every tool of the integration; null where one of them may be used. */
export function whyBlocked(
  permissions: Permissions,
  integration: Integration,
  tools: readonly Tool[],
): Verdict | null {
  if (permissions.isOpen) return null;
  // An import may have no tool yet.
  if (tools.length === 0) return blockedOnly(permissions.ofRequest(integration, tools, ['GET']));
  let first: Verdict | null = null;
  for (const tool of tools) {
    const verdict = blockedOnly(permissions.ofTool(integration, tool));
    if (verdict === null) return null;
    first ??= verdict;
  }
  return first;
}

const blockedOnly = (verdict: Verdict): Verdict | null => (verdict.decision === 'block' ? verdict : null);

/** Says in a list that a person has to approve each call of the tool. */
export function approvalOf(
  permissions: Permissions,
  { tool, integration }: RegisteredTool,
): { approval?: 'required' } {
  const isAsked = !permissions.isOpen && permissions.ofTool(integration, tool).decision === 'ask';
  return isAsked ? { approval: 'required' } : {};
}
