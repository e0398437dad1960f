// Deletes a person: first what they can do and own, feature by feature, at last the rows. Any process goes on where one stopped.
// reference: Deleting a person; decision: 018
import { toHex } from '../crypto/encoding.ts';
import {
  ERASE_ACTORS_LEASE_SECONDS,
  ERASE_ACTORS_MS,
  ERASE_AFTER_SECONDS,
  ERASE_LEASE_SECONDS,
  ERASED_ACTORS,
  ERASURES_MS,
} from './limits.ts';
import { describe } from '../http/errors.ts';
import type { Feature } from '../kit/feature.ts';
import { createPace } from '../memory/pace.ts';
import { withLease } from '../memory/with-lease.ts';
import type { Deleting } from '../ports/people.ts';
import type { Ports } from '../ports/ports.ts';

export interface Erasures {
  /** Goes on with every deletion that has begun. */
  goOn(stop?: AbortSignal): Promise<void>;
}

type Needs<Deps> = Deps &
  Pick<Ports, 'browser' | 'clock' | 'digest' | 'log' | 'random' | 'store'> & {
    features: readonly Pick<Feature<Deps>, 'name' | 'personal'>[];
  };

export function createErasures<Deps>(deps: Needs<Deps>): Erasures {
  const { browser, clock, digest, features, log, random, store } = deps;

  const drawPseudonym = () => `deleted-${toHex(random.bytes(8))}`;

  /** Everything in it may run again, and on several processes one after another. */
  async function deleteBelongings(userId: string): Promise<void> {
    for (const { personal } of features) await personal?.erase?.(deps)(userId);
  }

  async function deleteRows(ids: readonly string[], pseudonym: string): Promise<void> {
    for (const { personal } of features) await personal?.rename?.(deps)(ids, pseudonym);
    await store.people.erase(ids, pseudonym);
  }

  async function goOnWith(person: Deleting): Promise<void> {
    // Each process has browsers of its own, so this is outside the lease.
    await browser?.reset(person.id);
    await withLease(deps, `erase ${digest.sha256(person.id)}`, ERASE_LEASE_SECONDS, async () => {
      await deleteBelongings(person.id);
      if (clock.now() - person.deleted_at < ERASE_AFTER_SECONDS) return;
      const pseudonym = drawPseudonym();
      await deleteRows([person.id], pseudonym);
      log.write('info', 'a person was deleted', { pseudonym });
    });
  }

  /** Actors have no browser, and nobody waits for them, so all of them go in one step once their access is over everywhere. */
  async function eraseActors(ids: readonly string[]): Promise<void> {
    const pseudonym = drawPseudonym();
    for (const { personal } of features) {
      if (personal?.eraseActors !== undefined) await personal.eraseActors(deps)(ids, pseudonym);
      else for (const id of ids) await personal?.erase?.(deps)(id);
    }
    await deleteRows(ids, pseudonym);
  }

  /** Returns how many could not be erased. One of them keeps none of the others back. */
  async function tryActors(ids: readonly string[]): Promise<number> {
    try {
      await eraseActors(ids);
      return 0;
    } catch (error) {
      if (ids.length === 1) {
        logFailure(error);
        return 1;
      }
      let failed = 0;
      for (const id of ids) failed += await tryActors([id]);
      return failed;
    }
  }

  /** The next round, or another process, goes on: a product may leave with a hundred thousand actors. */
  async function goOnWithActors(stop: AbortSignal | undefined): Promise<void> {
    const { hasTime, pause } = createPace(clock, ERASE_ACTORS_MS, stop);
    const until = clock.now() - ERASE_AFTER_SECONDS;
    let [erased, skipped] = [0, 0];
    while (hasTime()) {
      const rows = await store.people.actorsToErase(until, { limit: ERASED_ACTORS, skipped });
      if (rows.length === 0) break;
      // The actors of a key go before its own row, which says that they are to go.
      const keys = rows.filter(({ id, service_key_id }) => id === service_key_id);
      const left = await store.serviceKeys.beginDeletions(keys, ERASED_ACTORS);
      const due = rows.filter(({ id }) => !left.has(id));
      const failed = due.length === 0 ? 0 : await tryActors(due.map(({ id }) => id));
      erased += due.length - failed;
      skipped += failed;
      await pause();
    }
    if (erased > 0)
      log.write('info', 'actors were erased', { erased, left: await store.serviceActors.countErasing() });
  }

  function logFailure(error: unknown): void {
    log.write('error', 'a deletion could not go on, and is tried again', describe(error));
  }

  return {
    async goOn(stop) {
      const until = clock.millis() + ERASURES_MS;
      for (const person of await store.people.deleting()) {
        // The next round goes on.
        if (clock.millis() > until) break;
        await goOnWith(person).catch(logFailure);
      }
      await withLease(deps, 'erase actors', ERASE_ACTORS_LEASE_SECONDS, () => goOnWithActors(stop)).catch(
        logFailure,
      );
    },
  };
}
