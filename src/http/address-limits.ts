// Counts, by address, what strangers begin and get wrong. What succeeds does not count. On loopback nothing is limited.
// reference: Limits by address; decision: 019
import type { Context, MiddlewareHandler } from 'hono';
import type { Config } from '../config/config.ts';
import { ADDRESS_WINDOW_SECONDS, SIGN_INS_BY_ADDRESS, REFUSALS_BY_ADDRESS } from './limits.ts';
import { createWindows, type Windows } from '../memory/windows.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { SharedCounts } from '../ports/shared-counts.ts';
import { clientAddress, isAddressKnown } from './client-address.ts';
import { presentedKey } from './presented-key.ts';

/** Sign-ins and authorizations that begin, refusals of the token endpoint, and refused API keys. */
export type Counted = 'sign-in' | 'token' | 'key';

const LIMITS: Record<Counted, number> = {
  'sign-in': SIGN_INS_BY_ADDRESS,
  token: REFUSALS_BY_ADDRESS,
  key: REFUSALS_BY_ADDRESS,
};

export type AddressCounts = Record<Counted, Windows>;

export function createAddressCounts(needs: {
  clock: Clock;
  sharedCounts?: SharedCounts | undefined;
}): AddressCounts {
  const windowsOf = (kind: Counted) => createWindows(needs, `address ${kind}`, ADDRESS_WINDOW_SECONDS);
  return { 'sign-in': windowsOf('sign-in'), token: windowsOf('token'), key: windowsOf('key') };
}

export interface TooMany {
  sentence: string;
  headers: { 'Retry-After': string };
}

export interface AddressLimits {
  /** Returns what to tell an address that has reached its limit, else null. */
  check(c: Context, kind: Counted): TooMany | null;
  count(c: Context, kind: Counted): void;
  /** Takes a count back: what began has succeeded. */
  forgive(c: Context, kind: Counted): void;
}

type Needs = {
  addressCounts: AddressCounts;
  config: Pick<Config, 'TRUST_PROXY' | 'loopback'>;
  log: Log;
};

export function createAddressLimits({ addressCounts, config, log }: Needs): AddressLimits {
  /** Null where nothing is limited. */
  function addressOf(c: Context): string | null {
    // Callers without an address would share one limit, and one of them could lock out all others.
    return config.loopback || !isAddressKnown(c, config) ? null : clientAddress(c, config);
  }

  return {
    check(c, kind) {
      const address = addressOf(c);
      if (address === null || addressCounts[kind].count(address) < LIMITS[kind]) return null;
      const seconds = addressCounts[kind].secondsLeft(address);
      return {
        sentence: `Too many attempts from your network. Try again in ${seconds} seconds.`,
        headers: { 'Retry-After': String(seconds) },
      };
    },

    count(c, kind) {
      const address = addressOf(c);
      if (address === null || addressCounts[kind].add(address, 1) !== LIMITS[kind]) return;
      const isProxied = !config.TRUST_PROXY && c.req.header('x-forwarded-for') !== undefined;
      const cure = 'Behind a reverse proxy all callers have its address. Set TRUST_PROXY=true.';
      log.write('warn', 'address limited', { kind, ...(isProxied ? { cure } : {}) });
    },

    forgive(c, kind) {
      const address = addressOf(c);
      if (address !== null) addressCounts[kind].add(address, -1);
    },
  };
}

interface KeyKinds {
  apiKeys: { isUnknown(presented: string): Promise<boolean> };
  agentKeys: { isOne(presented: string): boolean };
  serviceKeyAuth: { isOne(presented: string): boolean };
}

/**
 * Answers 429 instead of 401 to an address that has sent many unknown keys, before such a key is compared slowly. A key
 * that is found by its SHA-256 is never refused here.
 */
export function limitUnknownKeys(
  limits: AddressLimits,
  { apiKeys, agentKeys, serviceKeyAuth }: KeyKinds,
): MiddlewareHandler {
  const isFound = (key: string) => agentKeys.isOne(key) || serviceKeyAuth.isOne(key);
  const refuse = (c: Context, { sentence, headers }: TooMany) => c.json({ error: sentence }, 429, headers);

  return async function countUnknownKeys(c, next) {
    const presented = presentedKey(c.req.raw.headers);
    if (presented === null) return next();
    const before = limits.check(c, 'key');
    if (before !== null && !isFound(presented) && (await apiKeys.isUnknown(presented)))
      return refuse(c, before);
    await next();
    if (c.res.status !== 401) return;
    const tooMany = limits.check(c, 'key');
    if (tooMany === null) return limits.count(c, 'key');
    c.res = refuse(c, tooMany);
    c.res.headers.delete('WWW-Authenticate');
  };
}
