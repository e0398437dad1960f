// Signs links that give one file to whoever holds them, for an hour. They open nothing else.
import { timingSafeEqual } from 'hono/utils/buffer';
import { FILE_LINK_SECONDS } from './limits.ts';
import type { Ports } from '../ports/ports.ts';
import type { ParsedHandle } from '../kit/file-handle.ts';

const KEY = /^([0-9a-z]{1,12})-([0-9a-f]{32})-([\w-]{43})$/;

export interface FileLinks {
  /** Returns the whole address. */
  create(owner: string, file: Pick<ParsedHandle, 'handle' | 'expiresAt'>): string;
  /** Returns the owner of the file when the key of the link is right and has not expired. */
  open(handle: string, key: string): Promise<string | null>;
}

export function createFileLinks({
  clock,
  config,
  digest,
}: Pick<Ports, 'clock' | 'config' | 'digest'>): FileLinks {
  // No other text that is signed with this secret contains a space.
  const sign = (handle: string, owner: string, expiry: string): string =>
    digest.hmac(config.SESSION_SECRET, `file link ${handle} ${owner} ${expiry}`);

  return {
    create(owner, { handle, expiresAt }) {
      const expiry = Math.min(clock.now() + FILE_LINK_SECONDS, expiresAt).toString(36);
      const key = `${expiry}-${owner}-${sign(handle, owner, expiry)}`;
      return `${config.SERVER_PUBLIC_URL}/f/${handle}?k=${key}`;
    },

    async open(handle, key) {
      const [, expiry, owner, signature] = KEY.exec(key) ?? [];
      if (expiry === undefined || owner === undefined || signature === undefined) return null;
      if (Number.parseInt(expiry, 36) <= clock.now()) return null;
      return (await timingSafeEqual(signature, sign(handle, owner, expiry))) ? owner : null;
    },
  };
}
