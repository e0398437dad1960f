// Tells whether a request came to the origin that jots may have to themselves.
import type { Config } from '../../config/config.ts';

/** The returned function takes the value of the `Host` header. */
export function createIsOwnOrigin({
  JOTS_ORIGIN,
}: Pick<Config, 'JOTS_ORIGIN'>): (host: string | undefined) => boolean {
  if (JOTS_ORIGIN === undefined) return () => false;
  const { host } = new URL(JOTS_ORIGIN);
  return (given) => given === host;
}
