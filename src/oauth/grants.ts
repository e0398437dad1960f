// Stores what a person lets a client do at most, and until when. reference: Agents; Consent page; decision: 038
import type { Limits } from '../kit/actor.ts';
import { parseLimits } from '../kit/limits.ts';
import { type AgentGrant, NO_LIMITS, UNLIMITED } from '../ports/policy.ts';
import type { Ports } from '../ports/ports.ts';
import type { Endings } from '../auth/endings.ts';
import type { AuthorizeRequest } from './authorize.ts';
import { DAY_SECONDS } from './consent-choice.ts';

export interface Grants {
  /**
   * Stores the limits of a sign-in. What the person has chosen on the consent page replaces what was stored. A sign-in
   * without the page keeps what is stored.
   */
  begin(userId: string, request: Pick<AuthorizeRequest, 'client_id' | 'choice'>): Promise<void>;
  /** How long an access token may live: no longer than what the person has granted. */
  secondsLeft(userId: string, clientId: string): Promise<number>;
  /** The grants of the person, by client. */
  of(userId: string): Promise<ReadonlyMap<string, AgentGrant>>;
  /** Pauses the client, or lets it go on. */
  pause(userId: string, clientId: string, on: boolean): Promise<void>;
  /** Replaces the limits. The next call of every token of the client is judged by them. */
  put(userId: string, clientId: string, limits: Limits, expiresAt: number | null): Promise<void>;
}

export function createGrants({
  clock,
  config,
  endings,
  random,
  store,
}: Pick<Ports, 'clock' | 'config' | 'random' | 'store'> & { endings: Pick<Endings, 'forget'> }): Grants {
  async function of(userId: string): Promise<ReadonlyMap<string, AgentGrant>> {
    const grants = await store.policies.grants(userId);
    return new Map(grants.map((grant) => [grant.client_id, grant]));
  }

  async function put(
    userId: string,
    clientId: string,
    limits: Limits,
    expiresAt: number | null,
  ): Promise<void> {
    await store.policies.putGrant({
      user_id: userId,
      client_id: clientId,
      limits: JSON.stringify(limits),
      expires_at: expiresAt,
      revision: random.uuid(),
      updated_at: clock.now(),
      last_used_at: null,
      paused_at: null,
    });
  }

  return {
    of,
    put,

    async pause(userId, clientId, on) {
      const now = clock.now();
      await store.policies.pause({
        ...UNLIMITED,
        user_id: userId,
        client_id: clientId,
        updated_at: now,
        last_used_at: null,
        paused_at: on ? now : null,
      });
      endings.forget();
    },

    async begin(userId, { client_id: clientId, choice }) {
      const stored = (await of(userId)).get(clientId) ?? null;
      const now = clock.now();
      if (choice === undefined) {
        if (stored === null || stored.expires_at === null || stored.expires_at > now) return;
        // The person has let the client in again, for as long as before. A client that they disconnected begins anew.
        const lasted = stored.expires_at - stored.updated_at;
        return put(userId, clientId, parseLimits(stored.limits), lasted > 0 ? now + lasted : null);
      }
      const { days, ...chosen } = choice;
      const limits = { ...settingsOf(stored), ...chosen };
      const isUnlimited = Object.keys(limits).length === 0 && days === undefined;
      if (isUnlimited && (stored === null || isOpen(stored))) return;
      await put(userId, clientId, limits, days === undefined ? null : now + days * DAY_SECONDS);
    },

    async secondsLeft(userId, clientId) {
      const lifetime = config.OAUTH_ACCESS_TOKEN_TTL_SECONDS;
      const end = (await store.policies.read(userId, clientId)).grant?.expires_at ?? null;
      return end === null ? lifetime : Math.min(lifetime, end - clock.now());
    },
  };
}

const isOpen = ({ limits, expires_at }: AgentGrant): boolean => limits === NO_LIMITS && expires_at === null;

/** What the consent page does not ask about: only the portal changes it. */
function settingsOf(stored: AgentGrant | null): Limits {
  if (stored === null) return {};
  const { rules, perMinute, set } = parseLimits(stored.limits);
  return {
    ...(rules === undefined ? {} : { rules }),
    ...(perMinute === undefined ? {} : { perMinute }),
    ...(set === undefined ? {} : { set }),
  };
}
