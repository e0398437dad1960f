// Deletes a person: first what they can do and own, feature by feature, at last the rows. Any process goes on where one stopped.
// reference: Deleting a person; decision: 018
import { toHex } from '../crypto/encoding.ts';
import { ERASE_AFTER_SECONDS, ERASE_LEASE_SECONDS, ERASURES_MS } from './limits.ts';
import { describe } from '../http/errors.ts';
import type { Feature } from '../kit/feature.ts';
import { withLease } from '../memory/with-lease.ts';
import type { Deleting } from '../ports/people.ts';
import type { Ports } from '../ports/ports.ts';

export interface Erasures {
  /** Goes on with every deletion that has begun. */
  goOn(): Promise<void>;
}

type Needs<Deps> = Deps &
  Pick<Ports, 'browser' | 'clock' | 'digest' | 'log' | 'random' | 'store'> & {
    features: readonly Pick<Feature<Deps>, 'name' | 'personal'>[];
  };

export function createErasures<Deps>(deps: Needs<Deps>): Erasures {
  const { browser, clock, digest, features, log, random, store } = deps;

  /** Everything in it may run again, and on several processes one after another. */
  async function deleteBelongings(userId: string): Promise<void> {
    for (const { personal } of features) await personal?.erase?.(deps)(userId);
  }

  async function deleteRows(person: Deleting): Promise<void> {
    const pseudonym = `deleted-${toHex(random.bytes(8))}`;
    for (const { personal } of features) await personal?.rename?.(deps)(person.id, pseudonym);
    await store.people.erase(person, pseudonym);
    log.write('info', 'a person was deleted', { pseudonym });
  }

  async function goOnWith(person: Deleting): Promise<void> {
    // Each process has browsers of its own, so this is outside the lease.
    await browser?.reset(person.id);
    await withLease(deps, `erase ${digest.sha256(person.id)}`, ERASE_LEASE_SECONDS, async () => {
      await deleteBelongings(person.id);
      if (clock.now() - person.deleted_at >= ERASE_AFTER_SECONDS) await deleteRows(person);
    });
  }

  return {
    async goOn() {
      const until = clock.millis() + ERASURES_MS;
      for (const person of await store.people.deleting()) {
        // The next round goes on: a product may leave with a hundred thousand actors.
        if (clock.millis() > until) return;
        try {
          await goOnWith(person);
        } catch (error) {
          log.write('error', 'a deletion could not go on, and is tried again', describe(error));
        }
      }
    },
  };
}
