// Notices a wrong ENCRYPTION_KEY at start, by a known text that the store keeps sealed. reference: Secrets at rest
import type { Place, Seal } from '../crypto/seal.ts';
import { describe } from '../http/errors.ts';
import type { Feature } from '../kit/feature.ts';
import type { Ports } from '../ports/ports.ts';

const KNOWN_TEXT = 'the encryption key of this gateway';
const PLACE: Place = ['', '', 'key_check'];

/** What an operator does about a wrong key. */
export const KEY_CURE =
  'Set the key that was used until now as ENCRYPTION_KEY_PREVIOUS, or make it ENCRYPTION_KEY again. ' +
  'Until then nobody can use the connections that were made under it.';

type Needs = Pick<Ports, 'store'> & { seal: Seal };
type CheckNeeds<Deps> = Deps & Needs & { features: readonly Pick<Feature<Deps>, 'name' | 'sealed'>[] };

/** Logs an error when no configured key opens what the store keeps. The gateway serves all the same. decision: 009 */
export async function checkKey<Deps>(deps: CheckNeeds<Deps> & Pick<Ports, 'log'>): Promise<void> {
  const { log } = deps;
  try {
    if (!(await isRightKey(deps)))
      log.write('error', 'ENCRYPTION_KEY is not the key of this database', { cure: KEY_CURE });
  } catch (error) {
    log.write('error', 'ENCRYPTION_KEY could not be checked', describe(error));
  }
}

/** Tells whether a configured key opens what the store keeps. */
export async function isRightKey<Deps>(deps: CheckNeeds<Deps>): Promise<boolean> {
  const { seal, store } = deps;
  const sealed = await store.keyCheck.read();
  if (sealed !== null) return (await seal.open(sealed, PLACE)) === KNOWN_TEXT;
  // The first start, or the first one after 0.1, which stored no such text.
  if (!(await opensSample(deps))) return false;
  await store.keyCheck.swap(null, await seal.seal(KNOWN_TEXT, PLACE));
  return true;
}

/** Tries the first page of each table: a damaged value must not decide. Also true when nothing is stored. */
async function opensSample<Deps>(deps: CheckNeeds<Deps>): Promise<boolean> {
  let isEmpty = true;
  for (const table of deps.features.flatMap(({ sealed = [] }) => sealed))
    for await (const page of table(deps)) {
      for (const { text, place } of page.flatMap(({ values }) => values)) {
        if (text === null) continue;
        if ((await deps.seal.open(text, place)) !== null) return true;
        isEmpty = false;
      }
      break;
    }
  return isEmpty;
}

/**
 * Seals the known text again under the current key. A text that no key opens is replaced only when every stored value
 * opens: the lost key is not needed any more.
 */
export async function renewKeyCheck({ store, seal }: Needs, opensAll: boolean): Promise<void> {
  const seen = await store.keyCheck.read();
  if (seen === null || seal.isCurrent(seen)) return;
  if (!opensAll && (await seal.open(seen, PLACE)) === null) return;
  await store.keyCheck.swap(seen, await seal.seal(KNOWN_TEXT, PLACE));
}
