// Warns the operator when keys and tokens travel unencrypted outside a network of their own. reference: Environment variables
import type { Ports } from '../ports/ports.ts';
import { classifyAddress } from './addresses.ts';

/** Names of one word, and those that only exist in somebody's own network. */
const PRIVATE_NAME = /^[^.]+$|\.(?:local|internal|lan|home\.arpa|intranet|corp|private)$/;
const ADDRESS = /^\[?([\d.]+|[\da-f:.]*:[\da-f:.]*)\]?$/;

export function warnOfPlainAddress({ config, log }: Pick<Ports, 'config' | 'log'>): void {
  if (!isPlainAddress(config.SERVER_PUBLIC_URL)) return;
  log.write('warn', 'SERVER_PUBLIC_URL is not encrypted', {
    hint: 'keys and tokens can be read on their way: put a proxy with a certificate in front, and begin SERVER_PUBLIC_URL with https://',
  });
}

/** Tells whether an address is neither encrypted nor in a network of one's own. */
export function isPlainAddress(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol !== 'https:' && !isOwn(hostname);
}

function isOwn(hostname: string): boolean {
  const address = ADDRESS.exec(hostname)?.[1];
  if (address === undefined) return PRIVATE_NAME.test(hostname);
  return ['private', 'loopback'].includes(classifyAddress(address));
}
