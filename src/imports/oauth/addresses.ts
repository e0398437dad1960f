// Judges the addresses that a server or its provider names: a credential goes to https only, or to loopback.
import { isLoopbackHost } from '../../config/config.ts';

export const MAX_ADDRESS = 2_048;

/** Undefined when the address cannot be used. */
export function readEndpoint(endpoint: string): string | undefined {
  const url = URL.parse(endpoint);
  if (url === null || !isSafe(url) || url.hash !== '' || url.href.length > MAX_ADDRESS) return undefined;
  // Braces would look like the placeholders of a manifest.
  return url.href.replaceAll('{', '%7B').replaceAll('}', '%7D');
}

export function isSafe({ protocol, hostname, username, password }: URL): boolean {
  const isPrivate = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
  return isPrivate && username === '' && password === '';
}

/** The name of a server that does not say its own. The specification of MCP wants no slash at the end. */
export function nameOf({ origin, pathname, search }: URL): string {
  return `${origin}${pathname === '/' ? '' : pathname}${search}`;
}

export const hostOf = (address: string): string => URL.parse(address)?.host || address.slice(0, 200);
