// Tells how long a stored credential can still be used. decision: 026
import type { Integration } from '../../kit/integration.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Connection } from '../../ports/records.ts';
import { hasLiveCookie, parseSession } from './cookies.ts';
import { isFresh } from './open-credential.ts';
import type { Vault } from './vault.ts';

export type Lifetime =
  /** Nothing says that the credential ends soon. */
  | { kind: 'lasting' }
  /** `at` is in Unix seconds. */
  | { kind: 'expiring'; at: number }
  /** The credential has expired, or no key opens it. */
  | { kind: 'over' };

const EXPIRING_SECONDS = 3 * 24 * 3_600;

const LASTING: Lifetime = { kind: 'lasting' };
const OVER: Lifetime = { kind: 'over' };

export async function readLifetime(
  integration: Integration,
  connection: Connection,
  { clock, vault }: Pick<Ports, 'clock'> & { vault: Pick<Vault, 'open'> },
): Promise<Lifetime> {
  const now = clock.now();
  if (integration.auth.type === 'cookie') {
    const text = await vault.open(connection, 'cookies');
    const session = text === null ? null : parseSession(text);
    if (session === null || !hasLiveCookie(session, now)) return OVER;
    return hasLiveCookie(session, now + EXPIRING_SECONDS)
      ? LASTING
      : { kind: 'expiring', at: session.liveUntil };
  }
  if ((await vault.open(connection, 'access_token')) === null) return OVER;
  const { expires_at, refresh_token } = connection;
  if (expires_at === null || refresh_token !== null) return LASTING;
  if (!isFresh(connection, now)) return OVER;
  return expires_at <= now + EXPIRING_SECONDS ? { kind: 'expiring', at: expires_at } : LASTING;
}
