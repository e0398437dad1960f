// Declares who calls in a person's name, and what this caller may do at most. reference: Callers
import type { Access } from './access.ts';

export type Decision = 'allow' | 'ask' | 'block';
export type Redaction = 'secrets' | 'personal';

/** Applies to the tools that match every member that is set. */
export interface Rule {
  integration?: string | undefined;
  /** The full name of a tool. */
  tool?: string | undefined;
  access?: Access | undefined;
  /** The rule holds only for people in one of these groups. Only rules for everyone have groups. decision: 070 */
  groups?: readonly string[] | undefined;
  /** The rule holds only for calls that follow content from outside. decision: 063 */
  after?: 'outside' | undefined;
  /** What is taken out of results. Such a rule decides nothing. */
  redact?: Redaction | undefined;
  /** The calls that each person may begin in a minute. Such a rule decides nothing. Only rules for everyone have it. */
  perMinute?: number | undefined;
  decision: Decision;
}

/** What a caller may do at most. The rules of the person and of everyone apply as well. */
export interface Limits {
  /** Absent allows every integration. */
  integrations?: readonly string[] | undefined;
  /** The highest access level. Absent allows every level. */
  access?: Access | undefined;
  rules?: readonly Rule[] | undefined;
  /** The name of a set of the person or of the team. Only its tools are allowed. */
  set?: string | undefined;
  /** The calls that may begin in a minute. */
  perMinute?: number | undefined;
}

export interface Actor {
  /**
   * `session`, `key` for the personal key, `key:<id>` for a named key, `client:<id>` for an OAuth client, or
   * `service:<id>` for a service key, which calls for one of its actors.
   */
  readonly id: string;
  /** The name of a named key, with the machine that acts with it, or of an OAuth client when its token was issued; null for other actors. */
  readonly name: string | null;
  /** The OAuth client, whose limits are stored with the person's grant; null for other actors. */
  readonly clientId: string | null;
  /** Each of them narrows what the actor may do. */
  readonly limits: readonly Limits[];
  /** The client or the rule through which a machine acts with a named key; absent for other actors. decision: 054 */
  readonly via?: string | undefined;
}

export interface Identity {
  userId: string;
  actor: Actor;
  /** When the credential ends, in Unix seconds. Absent for one without an end. */
  until?: number | undefined;
  /** When it was seen, beside the credential, that nobody has made rules for the person: in monotonic milliseconds. */
  withoutRulesAt?: number | undefined;
}

/** Tells who calls and for whom, or null. */
export type Identify = (headers: { get(name: string): string | null }) => Promise<Identity | null>;

export const SESSION: Actor = { id: 'session', name: null, clientId: null, limits: [] };
export const PERSONAL_KEY: Actor = { id: 'key', name: null, clientId: null, limits: [] };

const AGENT_KEY = 'key:';

export const agentKeyActorId = (keyId: string): string => `${AGENT_KEY}${keyId}`;
export const clientActorId = (clientId: string): string => `client:${clientId}`;
export const isAgentKey = ({ id }: Pick<Actor, 'id'>): boolean => id.startsWith(AGENT_KEY);

const SERVICE_KEY = 'service:';

export const serviceKeyActorId = (keyId: string): string => `${SERVICE_KEY}${keyId}`;
/** Returns the id of the service key that calls, or null for callers of people. decision: 074 */
export const serviceKeyIdOf = ({ id }: Pick<Actor, 'id'>): string | null =>
  id.startsWith(SERVICE_KEY) ? id.slice(SERVICE_KEY.length) : null;

/** Returns the id of the actor's named key, or null for an actor without one. */
export const agentKeyIdOf = (actor: Pick<Actor, 'id'>): string | null =>
  isAgentKey(actor) ? actor.id.slice(AGENT_KEY.length) : null;
