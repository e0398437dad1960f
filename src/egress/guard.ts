// Decides which hosts the gateway may connect to: it resolves a name once, and all its addresses must be allowed. decision: 030
import type { Config } from '../config/config.ts';
import type { Network } from '../ports/network.ts';
import { createLru } from '../memory/lru.ts';
import { type AddressKind, classifyAddress, isInRange } from './addresses.ts';
import { EgressFailure } from './failure.ts';

export type Addresses = [string, ...string[]];

export interface Guard {
  /** The addresses of the host. Throws an EgressFailure when one of them is not allowed or when there is none. */
  vet(url: URL): Addresses | Promise<Addresses>;
}

const MAX_CLASSIFIED = 1_000;

type Needs = {
  config: Pick<Config, 'EGRESS_ALLOW' | 'UPSTREAM_MAP' | 'loopback'>;
  network: Pick<Network, 'resolve'>;
};

export function createGuard({ config, network }: Needs): Guard {
  // The operator chose these targets, so they may have private addresses.
  const mapped = new Set(config.UPSTREAM_MAP.map(({ to }) => to));
  const ranges = config.EGRESS_ALLOW.filter((entry) => /^[\d.]+(\/\d+)?$/.test(entry) || entry.includes(':'));
  const hosts = new Set(
    config.EGRESS_ALLOW.filter((entry) => !ranges.includes(entry)).map((host) => host.toLowerCase()),
  );

  const kinds = createLru<AddressKind>(MAX_CLASSIFIED);

  function kindOf(address: string): AddressKind {
    const known = kinds.get(address);
    if (known !== undefined) return known;
    const kind = classifyAddress(address);
    kinds.set(address, kind, 1);
    return kind;
  }

  function isAllowed(url: URL, address: string): boolean {
    switch (kindOf(address)) {
      case 'public':
        return true;
      case 'forbidden':
        return false;
      case 'loopback':
      case 'private':
        return (
          config.loopback ||
          mapped.has(url.origin) ||
          hosts.has(url.hostname.replace(/\.$/, '')) ||
          ranges.some((range) => isInRange(address, range))
        );
    }
  }

  function requireAllowed(url: URL, [first, ...others]: readonly string[]): Addresses {
    if (first === undefined) throw new EgressFailure('unreachable', `There is no host ${url.hostname}`);
    const addresses: Addresses = [first, ...others];
    // An attacker's name may list one forbidden address among allowed ones.
    if (addresses.every((address) => isAllowed(url, address))) return addresses;
    throw new EgressFailure(
      'forbidden',
      `Connecting to ${url.hostname} is not allowed: its address is not public`,
    );
  }

  async function awaitLookup({ hostname }: URL, lookup: Promise<string[]>): Promise<string[]> {
    try {
      return await lookup;
    } catch (cause) {
      throw new EgressFailure('unreachable', `The address of ${hostname} could not be resolved`, { cause });
    }
  }

  return {
    vet(url) {
      if (url.protocol !== 'https:' && url.protocol !== 'http:') {
        throw new EgressFailure(
          'bad-url',
          `Only http and https addresses can be called, not ${url.protocol}`,
        );
      }
      if (url.username !== '' || url.password !== '') {
        throw new EgressFailure('bad-url', 'An address must not contain a user name or password');
      }
      const found = network.resolve(url.hostname);
      return found instanceof Promise
        ? awaitLookup(url, found).then((addresses) => requireAllowed(url, addresses))
        : requireAllowed(url, found);
    },
  };
}
