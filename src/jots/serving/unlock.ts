// Unlocks a jot with a password: checks the password, limits guesses, and signs the cookie. decision: 048
import { base64url } from 'jose';
import { createSemaphore } from '../../memory/semaphore.ts';
import { deriveSigningKey } from '../../crypto/signing-key.ts';
import type { Ports } from '../../ports/ports.ts';
import type { FailedUnlocks } from './failed-unlocks.ts';
import { JOT_COOKIE_SECONDS } from '../model/limits.ts';
import type { Jot } from '../../ports/records.ts';

const MAX_CONCURRENT_COMPARES = 2;
const encoder = new TextEncoder();

export type Attempt =
  | { outcome: 'opened'; cookie: string }
  | { outcome: 'wrong' }
  | { outcome: 'too-many'; retryAfter: number };

export interface Unlock {
  /** Tells whether the cookie was signed for this jot with its current password. */
  opens(jot: Jot, cookie: string | undefined): Promise<boolean>;
  attempt(jot: Jot, password: string, address: string): Promise<Attempt>;
}

type Needs = Pick<Ports, 'clock' | 'config' | 'hasher'> & { failedUnlocks: FailedUnlocks };

export function createUnlock({ clock, config, hasher, failedUnlocks }: Needs): Unlock {
  const key = deriveSigningKey(config.SESSION_SECRET, 'jot unlock cookie');
  const semaphore = createSemaphore(MAX_CONCURRENT_COMPARES);

  const encodeSigned = ({ name, password_hash }: Jot, issued: string) =>
    encoder.encode(JSON.stringify([name, password_hash, issued]));

  return {
    async opens(jot, cookie) {
      const [, issued, signature] = /^([0-9a-z]{1,12})\.([\w-]{43})$/.exec(cookie ?? '') ?? [];
      if (issued === undefined || signature === undefined) return false;
      if (Number.parseInt(issued, 36) + JOT_COOKIE_SECONDS <= clock.now()) return false;
      const bytes = base64url.decode(signature);
      return crypto.subtle.verify('HMAC', await key, new Uint8Array(bytes), encodeSigned(jot, issued));
    },

    async attempt(jot, password, address) {
      // The attempt counts before the comparison, so that many attempts at once cannot pass the limit.
      const attempt = failedUnlocks.begin(`${address} ${jot.name}`);
      if (!attempt.allowed) return { outcome: 'too-many', retryAfter: attempt.retryAfter };
      if (!(await semaphore(() => hasher.verify(password, jot.password_hash ?? ''))))
        return { outcome: 'wrong' };
      attempt.forgive();
      const issued = clock.now().toString(36);
      const signature = await crypto.subtle.sign('HMAC', await key, encodeSigned(jot, issued));
      const text = base64url.encode(new Uint8Array(signature));
      return { outcome: 'opened', cookie: `${issued}.${text}` };
    },
  };
}
