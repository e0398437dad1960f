// Says whether what the gateway stands on works: its stores, their key and its address. reference: State of the gateway
import type { Seal } from '../crypto/seal.ts';
import { isPlainAddress } from '../egress/plain-address.ts';
import type { Feature } from '../kit/feature.ts';
import type { Instrument } from '../kit/instrument.ts';
import type { Ports } from '../ports/ports.ts';
import { isRightKey, KEY_CURE } from './key-check.ts';
import type { Part, Readiness } from './readiness.ts';

const CURES: Record<Part, string> = {
  store: 'Check DATABASE_URL, and that the database runs. The log says why it does not answer.',
  pending: 'Check PENDING_STORE, and that it runs. The log says why it does not answer.',
  blobs: 'Check BLOBS_URL and its keys. The log says why it does not answer.',
  disk: 'Free space on the disk of DATA_DIR. Nothing can be stored until then.',
};
const NAMES = { store: 'database', pending: 'pending', blobs: 'files' } as const;

/** The panel asks for a new backup when the last one is older. */
const STALE_SECONDS = 7 * 24 * 3600;
const MAKE_ONE = 'Run npm run backup -- gateway.tar.gz, best each day.';

type Needs<Deps> = Deps &
  Pick<Ports, 'clock' | 'config' | 'lastBackup' | 'store'> & {
    features: readonly Pick<Feature<Deps>, 'name' | 'sealed'>[];
    readiness: Readiness;
    seal: Seal;
  };

export function createInstruments<Deps>(deps: Needs<Deps>): () => Promise<Instrument[]> {
  const { clock, config, lastBackup, readiness } = deps;
  const kinds = {
    store: config.DATABASE_URL.kind,
    pending: config.PENDING_STORE.kind,
    blobs: config.BLOBS_URL.kind,
  };

  /** Only a file that is still there as it was written is good: the gateway cannot look elsewhere. */
  async function readBackup(): Promise<Instrument[]> {
    if (lastBackup === undefined) return [];
    const last = await lastBackup();
    if (last === null) return [{ name: 'backup', state: 'off', cure: MAKE_ONE }];
    const { file, madeAt: at } = last;
    const isStale = clock.now() - at > STALE_SECONDS;
    if (isStale || file === 'changed')
      return [
        {
          name: 'backup',
          state: 'bad',
          at,
          problem: isStale ? 'It is older than a week.' : 'Its file has changed since it was written.',
          cure: MAKE_ONE,
        },
      ];
    return [{ name: 'backup', state: file === 'whole' ? 'good' : 'unchecked', at }];
  }

  return async function readInstruments() {
    const failed = await readiness();
    const stateOf = (part: Part): Pick<Instrument, 'state' | 'cure'> =>
      failed.includes(part) ? { state: 'bad', cure: CURES[part] } : { state: 'good' };
    return [
      ...(['store', 'pending', 'blobs'] as const).map((part) => ({
        name: NAMES[part],
        kind: kinds[part],
        ...stateOf(part),
      })),
      // A disk that is not full is no news.
      ...(failed.includes('disk') ? [{ name: 'disk' as const, ...stateOf('disk') }] : []),
      failed.includes('store')
        ? { name: 'encryptionKey', state: 'unchecked' }
        : (await isRightKey(deps))
          ? { name: 'encryptionKey', state: 'good' }
          : { name: 'encryptionKey', state: 'bad', cure: KEY_CURE },
      isPlainAddress(config.SERVER_PUBLIC_URL)
        ? {
            name: 'address',
            state: 'bad',
            kind: config.SERVER_PUBLIC_URL,
            problem: 'Keys and tokens can be read on their way.',
            cure: 'Put a proxy with a certificate in front, and begin SERVER_PUBLIC_URL with https://.',
          }
        : { name: 'address', state: 'unchecked', kind: config.SERVER_PUBLIC_URL },
      ...(await readBackup()),
    ];
  };
}
