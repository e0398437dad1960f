// Issues and verifies curl-session tokens. They have a key of their own and carry what they may do. decision: 034
import { SignJWT } from 'jose';
import * as z from 'zod';
import { CURL_TOKENS } from '../crypto/keys.ts';
import { AgentPaused } from '../http/paused.ts';
import { type Actor, agentKeyIdOf, type Identity, PERSONAL_KEY, serviceKeyIdOf } from '../kit/actor.ts';
import { LimitsShape } from '../kit/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Connection } from '../ports/records.ts';
import type { AgentKeys } from './agent-keys.ts';
import type { Endings } from './endings.ts';
import type { ServiceKeyAuth } from './service-keys.ts';
import { createVerifier } from './jwt.ts';

// The methods that the proxy forwards. reference: Curl proxy
export const CURL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

export interface CurlGrant {
  userId: string;
  /** The caller that asked for the token. The token may do no more than it. */
  actor: Actor;
  integrations: readonly string[];
  /** Absent allows every method. */
  methods?: readonly string[] | undefined;
  /** Absent allows every path. */
  pathPrefix?: string | undefined;
  /** The account that the token is bound to, by integration. */
  accounts?: Readonly<Record<string, BoundAccount>> | undefined;
}

interface VerifiedCurlGrant extends CurlGrant {
  issuedAt: number;
}

/** Names one account until it is disconnected. */
type BoundAccount = Pick<Connection, 'account' | 'created_at'>;

const AccountsShape = z
  .record(z.string(), z.object({ account: z.string(), created_at: z.number() }))
  .optional();

/** An actor as it is kept inside a token or a task. */
export const ActorShape = z.object({
  id: z.string(),
  name: z.string().nullable(),
  clientId: z.string().nullable(),
  limits: z.array(LimitsShape),
  via: z.string().optional(),
});

export interface CurlTokens {
  issue(grant: CurlGrant, lifetimeSeconds: number): Promise<string>;
  /** Returns null for an invalid token, for one of a named key that is deleted or expired, for one of a machine that has ended, and after the person lost their access. Throws `AgentPaused`. */
  verify(token: string): Promise<CurlGrant | null>;
}

interface Needs {
  agentKeys: Pick<AgentKeys, 'byId' | 'through'>;
  clock: Clock;
  curlKey: CryptoKey;
  endings: Endings;
  serviceKeyAuth: Pick<ServiceKeyAuth, 'acting'>;
}

export function createCurlTokens({
  agentKeys,
  clock,
  curlKey: key,
  endings,
  serviceKeyAuth,
}: Needs): CurlTokens {
  const read = createVerifier(
    key,
    clock,
    { issuer: CURL_TOKENS, audience: CURL_TOKENS },
    ({ sub, int, met, pre, act, acc, iat = 0 }): VerifiedCurlGrant | null => {
      // A token of version 0.1 has no actor and lives for an hour at most.
      const actor = act === undefined ? PERSONAL_KEY : ActorShape.safeParse(act).data;
      const accounts = AccountsShape.safeParse(acc);
      if (typeof sub !== 'string' || !isTexts(int) || actor === undefined || !accounts.success) return null;
      return {
        userId: sub,
        actor,
        integrations: int,
        methods: isTexts(met) ? met : undefined,
        pathPrefix: typeof pre === 'string' ? pre : undefined,
        accounts: accounts.data,
        issuedAt: iat,
      };
    },
  );

  const isUnstored = (actor: Actor): boolean =>
    agentKeyIdOf(actor) === null && serviceKeyIdOf(actor) === null;

  /** Reads the named key or the service key that calls. Null once it is gone. */
  async function holderOf(userId: string, actor: Actor): Promise<Identity | null> {
    const serviceKeyId = serviceKeyIdOf(actor);
    if (serviceKeyId !== null) return serviceKeyAuth.acting(serviceKeyId, userId);
    const keyId = agentKeyIdOf(actor) ?? '';
    const { via } = actor;
    return via === undefined ? agentKeys.byId(keyId) : agentKeys.through({ keyId, via });
  }

  /** The limits of a key are read from the key at each call. The token carries only what narrows them further. */
  async function withoutStoredLimits(userId: string, actor: Actor): Promise<Actor> {
    if (isUnstored(actor)) return actor;
    const stored = (await holderOf(userId, { ...actor, via: undefined }))?.actor.limits ?? [];
    const known = new Set(stored.map((limits) => JSON.stringify(limits)));
    return { ...actor, limits: actor.limits.filter((limits) => !known.has(JSON.stringify(limits))) };
  }

  return {
    async issue({ userId, actor, integrations, methods, pathPrefix, accounts }, lifetimeSeconds) {
      const act = await withoutStoredLimits(userId, actor);
      const now = clock.now();
      return new SignJWT({ int: integrations, met: methods, pre: pathPrefix, act, acc: accounts })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(userId)
        .setIssuer(CURL_TOKENS)
        .setAudience(CURL_TOKENS)
        .setIssuedAt(now)
        .setExpirationTime(now + lifetimeSeconds)
        .sign(key);
    },

    async verify(token) {
      const reading = read(token);
      const grant = reading instanceof Promise ? await reading : reading;
      if (grant === null) return null;
      const isOver = endings.isOver(grant.userId, grant.issuedAt);
      if (isOver instanceof Promise ? await isOver : isOver) return null;
      const { clientId } = grant.actor;
      if (clientId !== null && endings.isPaused(grant.userId, clientId))
        throw new AgentPaused(grant.actor.name);
      if (isUnstored(grant.actor)) return grant;
      const { via, name, limits } = grant.actor;
      const holder = await holderOf(grant.userId, grant.actor);
      if (holder === null || holder.userId !== grant.userId) return null;
      const { actor } = holder;
      return {
        ...grant,
        // The name of a machine says which one acts with the key.
        actor: {
          ...actor,
          ...(via === undefined ? {} : { name }),
          limits: [...actor.limits, ...limits],
        },
      };
    },
  };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
