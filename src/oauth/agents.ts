// Lists the agents of a person: one row per client with live refresh tokens. reference: Agents
import type { RefreshToken } from '../ports/records.ts';
import type { Agent } from './agent-operations.ts';

export function agentsOf(
  tokens: readonly RefreshToken[],
  names: ReadonlyMap<string, string | null>,
): Agent[] {
  const byClient = Map.groupBy(tokens, ({ client_id }) => client_id);
  return [...byClient].map(([client_id, own]) => {
    const name = names.get(client_id) ?? null;
    return {
      client_id,
      ...(name === null ? {} : { client_name: name }),
      scopes: [...new Set(own.flatMap(({ scope }) => scope.split(' ').filter((word) => word !== '')))],
      connected_since: Math.min(...own.map(({ created_at }) => created_at)),
      expires_at: Math.max(...own.map(({ expires_at }) => expires_at)),
    };
  });
}
