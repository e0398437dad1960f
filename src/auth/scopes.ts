// Reads what the scope of an OAuth client allows. reference: Scopes
import type { Access } from '../kit/access.ts';
import { type Actor, clientActorId } from '../kit/actor.ts';

/** From the highest to the lowest. A scope without any of these words allows everything, as in version 0.1. */
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

const WORDS = [...CEILINGS.keys()];

/** The word of a scope that allows most. Null without such a word. */
export function highestScope(scope: string): string | null {
  const words = scope.split(' ');
  return WORDS.find((word) => words.includes(word)) ?? null;
}

/** Whether one word of a scope allows no more than another. */
export const isWithin = (asked: string, allowed: string): boolean =>
  WORDS.indexOf(asked) >= WORDS.indexOf(allowed);

interface TokenOfClient {
  clientId: string;
  clientName?: string | undefined;
  scope: string;
  set?: string | undefined;
}

/** The actor of an access token. */
export function actorOf({ clientId, clientName, scope, set }: TokenOfClient): Actor {
  const access = ceilingOf(scope);
  return {
    id: clientActorId(clientId),
    name: clientName ?? null,
    clientId,
    limits: access === undefined && set === undefined ? [] : [{ access, set }],
  };
}
