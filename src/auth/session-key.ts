// Derives the key of a person's browser session: a stable routing hint, not a credential.
// reference: Live view
import { timingSafeEqual } from 'hono/utils/buffer';
import type { Ports } from '../ports/ports.ts';
import { ErrorCode } from '../http/error-codes.ts';
import { errorBody, HttpError } from '../http/errors.ts';

export const SESSION_HEADER = 'X-Browser-Session';

export interface SessionKeys {
  of(userId: string): string;
  /** Throws 400 unless the key is the caller's own. */
  require(userId: string, presented: string | undefined): Promise<void>;
  /** Does the same, but accepts an absent header. */
  check(userId: string, presented: string | undefined): Promise<void>;
}

export function createSessionKeys({ config, digest }: Pick<Ports, 'config' | 'digest'>): SessionKeys {
  const of = (userId: string) => digest.hmac(config.SESSION_SECRET, userId);

  async function require(userId: string, presented: string | undefined): Promise<void> {
    if (presented === undefined || !(await timingSafeEqual(presented, of(userId))))
      throw badSessionKey(`The header ${SESSION_HEADER} must carry the key that attach returned.`);
  }

  return {
    of,
    require,
    async check(userId, presented) {
      if (presented !== undefined) await require(userId, presented);
    },
  };
}

export function badSessionKey(message: string): HttpError {
  return new HttpError(400, errorBody(ErrorCode.BAD_SESSION_KEY, message));
}
