// Lists the agents of a person: one row per client with live refresh tokens. reference: Agents
import { parseLimits } from '../kit/limits.ts';
import type { AgentGrant } from '../ports/policy.ts';
import type { RefreshToken } from '../ports/records.ts';
import type { Agent } from './agent-operations.ts';

export function agentsOf(
  tokens: readonly RefreshToken[],
  names: ReadonlyMap<string, string | null>,
  grants: ReadonlyMap<string, AgentGrant>,
): Agent[] {
  const byClient = Map.groupBy(tokens, ({ client_id }) => client_id);
  return [...byClient].map(([client_id, own]) => {
    const name = names.get(client_id) ?? null;
    const grant = grants.get(client_id) ?? null;
    const lastToken = Math.max(...own.map(({ expires_at }) => expires_at));
    return {
      client_id,
      ...(name === null ? {} : { client_name: name }),
      scopes: [...new Set(own.flatMap(({ scope }) => scope.split(' ').filter((word) => word !== '')))],
      connected_since: Math.min(...own.map(({ created_at }) => created_at)),
      expires_at: Math.min(lastToken, grant?.expires_at ?? lastToken),
      limits: limitsOf(grant),
      last_used_at: grant?.last_used_at ?? null,
      ...(grant === null || grant.paused_at === null ? {} : { paused_at: grant.paused_at }),
    };
  });
}

function limitsOf(grant: AgentGrant | null): Agent['limits'] {
  if (grant === null) return {};
  const { limits, expires_at } = grant;
  return { ...parseLimits(limits), ...(expires_at === null ? {} : { expiresAt: expires_at }) };
}
