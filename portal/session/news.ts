// Reads from the address what has just happened, and keeps it for the message that says so.
import { keep } from '../state/cache.ts';

export const CONNECTED = 'just-connected';
export const TOOK_OVER = 'took-over';

export function announceConnected(name: string): void {
  keep(CONNECTED, name);
}

/** Reads #connected=<name>, which the gateway adds after the provider's redirect. reference: Connecting an integration */
export function takeConnectedFromAddress(): void {
  const name = new URLSearchParams(location.hash.slice(1)).get('connected');
  if (name === null) return;
  history.replaceState(null, '', location.pathname + location.search);
  announceConnected(name);
}

/**
 * Reads tookOver=true, which the gateway adds to the session token of a person whose address somebody else had
 * used here. The token is taken out of the address afterwards. reference: Users
 */
export function takeTookOverFromAddress(): void {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (parts.has('token') && parts.get('tookOver') === 'true') keep(TOOK_OVER, true);
}
