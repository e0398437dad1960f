// The step that judges a raw request by the rules and by the limits of its caller. reference: Rules; decision: 038
import type { Integration } from '../kit/integration.ts';
import { possibleMethods } from '../kit/possible-methods.ts';
import type { Registries } from '../kit/registries.ts';
import type { Gate } from '../policy/model/gate.ts';
import type { Permissions } from '../policy/model/permissions.ts';
import { highestAccess, type RawTool } from '../policy/model/raw-access.ts';
import type { Judged, Refused } from './effect.ts';
import type { RawRequest } from './wire.ts';

export type JudgeRequest = (
  userId: string,
  permissions: Permissions,
  integration: Integration,
  request: RawRequest,
) => Promise<Judged | Refused<never>>;

type Needs = { gate: Pick<Gate, 'blockedText'>; registries: Registries };

export function createJudgeRequest({ gate, registries }: Needs): JudgeRequest {
  /** Includes the tools of an import that wait for a person: a rule may name one, and a raw request could do what it does. */
  async function toolsOf(userId: string, integration: Integration): Promise<readonly RawTool[]> {
    if (integration.imported === undefined) return registries.builtIn.toolsOf(integration);
    const { hidden } = await registries.of(userId);
    const waiting = hidden.filter((each) => each.integration.name === integration.name);
    return [...integration.tools, ...waiting.map(({ tool }) => tool)];
  }

  return async function judgeRequest(userId, permissions, integration, { method, path, hasForm }) {
    // Where no rule can apply, nothing more is read.
    const tools = permissions.isOpen ? [] : await toolsOf(userId, integration);
    const methods = possibleMethods(method, { search: path.search, hasForm });
    const verdict = permissions.ofRequest(integration, tools, methods);
    const access = highestAccess(integration, methods);
    if (verdict.decision !== 'block') return { access, asks: verdict.decision === 'ask' };
    const message = gate.blockedText(verdict, `${method} requests to ${integration.displayName}`);
    return { access, ending: { kind: 'blocked', message } };
  };
}
