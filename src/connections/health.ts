// Tells the portal whether a connection will go on working. decision: 053
import type { Ports } from '../ports/ports.ts';
import type { Vault } from './vault.ts';
import type { Integration } from '../kit/integration.ts';
import type { Connection } from '../ports/records.ts';
import { hasLiveCookie, parseSession } from './cookies/cookies.ts';
import { isFresh } from './open-credential.ts';

export type Health = 'ok' | 'expiring' | 'needs_reconnect';

const EXPIRING_SECONDS = 3 * 24 * 3_600;

/** `expiresAt` says when an expiring connection ends, in Unix seconds. */
export interface HealthNow {
  health: Health;
  expiresAt?: number;
}

export async function healthOf(
  integration: Integration,
  connection: Connection,
  { clock, vault }: Pick<Ports, 'clock'> & { vault: Vault },
): Promise<HealthNow> {
  const now = clock.now();
  if (integration.auth.type === 'cookie') {
    const text = await vault.open(connection, 'cookies');
    const session = text === null ? null : parseSession(text);
    if (session === null || !hasLiveCookie(session, now)) return { health: 'needs_reconnect' };
    return hasLiveCookie(session, now + EXPIRING_SECONDS)
      ? { health: 'ok' }
      : { health: 'expiring', expiresAt: session.liveUntil };
  }
  if ((await vault.open(connection, 'access_token')) === null) return { health: 'needs_reconnect' };
  const { expires_at, refresh_token } = connection;
  if (expires_at === null || refresh_token !== null) return { health: 'ok' };
  if (!isFresh(connection, now)) return { health: 'needs_reconnect' };
  return expires_at <= now + EXPIRING_SECONDS
    ? { health: 'expiring', expiresAt: expires_at }
    : { health: 'ok' };
}
