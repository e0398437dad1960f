// Reseals every stored value under the current key while the gateway serves. decision: 024
// It skips the results stored for read_result, because they expire within the hour, and pending revocations, which live a
// day at most.
import type { Place, Seal } from '../crypto/seal.ts';
import type { Feature } from '../kit/feature.ts';
import type { SealedRow } from '../kit/sealed-row.ts';
import { withLease } from '../memory/with-lease.ts';
import type { Ports } from '../ports/ports.ts';
import { renewKeyCheck } from './key-check.ts';

export interface Rotation {
  resealed: number;
  alreadyCurrent: number;
  /**
   * Names the values that no key opens. An API key of the gateway has no integration. An OAuth client has no user, and
   * neither has an import that is for everyone.
   */
  unreadable: { userId: string; integration: string; column: string }[];
}

const LOOK_AGAIN_MS = 150;

type Renewed = { outcome: 'none' | 'current' | 'resealed' | 'unreadable'; text: string | null; name: Place };

type Needs<Deps> = Deps &
  Pick<Ports, 'store' | 'random' | 'clock'> & {
    features: readonly Pick<Feature<Deps>, 'name' | 'sealed'>[];
    seal: Seal;
  };

/**
 * Swaps each row on its own: an interruption loses nothing, and the next run skips the rows that are done. It reports
 * the same object after every page.
 */
export async function rotateKeys<Deps>(
  deps: Needs<Deps>,
  report: (progress: Readonly<Rotation>) => void,
): Promise<Rotation> {
  const { clock, features, seal } = deps;
  const rotation: Rotation = { resealed: 0, alreadyCurrent: 0, unreadable: [] };

  async function renew(value: SealedRow['values'][number]): Promise<Renewed> {
    const { text, place, name = place, isShortLived = false } = value;
    if (text === null) return { outcome: 'none', text, name };
    if (seal.isCurrent(text)) return { outcome: 'current', text, name };
    const opened = await seal.open(text, place);
    if (opened === null) return { outcome: isShortLived ? 'none' : 'unreadable', text, name };
    return { outcome: 'resealed', text: await seal.seal(opened, place), name };
  }

  async function rotate(first: SealedRow): Promise<void> {
    for (let row: SealedRow | null = first; row !== null; row = await row.again()) {
      const renewed = await Promise.all(row.values.map(renew));
      const isDone = renewed.every(({ outcome }) => outcome !== 'resealed');
      // A lost swap means that another process wrote the row, so the row is read again.
      if (isDone || (await swapInTurn(row, renewed))) return renewed.forEach(count);
    }
  }

  // A swap during a refresh would lose the tokens that the provider has just exchanged. The lease lets a running refresh
  // finish first and makes the next one wait.
  async function swapInTurn({ lease, swap }: SealedRow, renewed: readonly Renewed[]): Promise<boolean> {
    const texts = renewed.map(({ text }) => text);
    if (lease === null) return swap(texts);
    const held = await withLease(deps, lease.name, lease.seconds, () => swap(texts));
    if (held !== null) return held.value;
    await clock.sleep(LOOK_AGAIN_MS);
    return false;
  }

  function count({ outcome, name: [userId, integration, column] }: Renewed): void {
    if (outcome === 'resealed') rotation.resealed++;
    if (outcome === 'current') rotation.alreadyCurrent++;
    if (outcome === 'unreadable') rotation.unreadable.push({ userId, integration, column });
  }

  for (const table of features.flatMap(({ sealed = [] }) => sealed))
    for await (const page of table(deps)) {
      await Promise.all(page.map(rotate));
      report(rotation);
      await clock.turn();
    }
  await renewKeyCheck(deps, rotation.unreadable.length === 0);
  return rotation;
}
