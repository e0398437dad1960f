// Judges a raw request by the rules and by the limits of its caller. reference: Rules; decision: 115
import type { Access } from '../kit/access.ts';
import type { Identity } from '../kit/actor.ts';
import type { Integration } from '../kit/integration.ts';
import { possibleMethods } from '../kit/possible-methods.ts';
import type { Registries } from '../kit/registries.ts';
import type { Permissions, Verdict } from '../policy/permissions.ts';
import { highestAccess, type RawTool } from '../policy/raw-access.ts';
import type { ProxyRequest } from './request.ts';

export interface Judgement {
  verdict: Verdict;
  /** What the request can do at most. */
  access: Access;
}

type Judged = Pick<ProxyRequest, 'method' | 'path' | 'hasForm'>;
export type Judge = (
  identity: Identity,
  permissions: Permissions,
  integration: Integration,
  request: Judged,
) => Promise<Judgement>;

export function createJudge({ registries }: { registries: Registries }): Judge {
  /** Includes the tools of an import that wait for a person: a rule may name one, and a raw request could do what it does. */
  async function toolsOf(userId: string, integration: Integration): Promise<readonly RawTool[]> {
    if (integration.imported === undefined) return registries.builtIn.toolsOf(integration);
    const { hidden } = await registries.of(userId);
    const waiting = hidden.filter((each) => each.integration.name === integration.name);
    return [...integration.tools, ...waiting.map(({ tool }) => tool)];
  }

  return async function judge({ userId }, permissions, integration, request) {
    // Where no rule can apply, nothing more is read.
    const tools = permissions.isOpen ? [] : await toolsOf(userId, integration);
    const { method, path, hasForm } = request;
    const methods = possibleMethods(method, { search: path.search, hasForm });
    return {
      verdict: permissions.ofRequest(integration, tools, methods),
      access: highestAccess(integration, methods),
    };
  };
}
