// Reads what the scope of an OAuth client allows. reference: Scopes
import type { Access } from '../kit/access.ts';
import { type Actor, clientActorId } from '../kit/actor.ts';

/** A scope without any of these words allows everything, as in version 0.1. */
const CEILINGS = new Map<string, Access>([
  ['mcp', 'destroy'],
  ['mcp:write', 'write'],
  ['mcp:read', 'read'],
]);

/** The highest level that one of the scope's words allows. Undefined narrows nothing. */
export function ceilingOf(scope: string): Access | undefined {
  const words = scope.split(' ');
  for (const [word, access] of CEILINGS)
    if (words.includes(word)) return access === 'destroy' ? undefined : access;
  return undefined;
}

/** The actor of an access token. */
export function actorOf({ clientId, scope }: { clientId: string; scope: string }): Actor {
  const access = ceilingOf(scope);
  return {
    id: clientActorId(clientId),
    name: null,
    clientId,
    limits: access === undefined ? [] : [{ access }],
  };
}
