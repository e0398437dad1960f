// Deletes a person: first what they can do, then what they own, at last the rows. Any process goes on where one stopped.
// reference: Deleting a person; decision: 119
import { toHex } from '../crypto/encoding.ts';
import { ERASE_AFTER_SECONDS, ERASE_LEASE_SECONDS } from '../config/limits.ts';
import type { EraseAudit } from '../audit/sealing/erasure.ts';
import type { Disconnects } from '../connections/disconnect.ts';
import type { Files } from '../files/files.ts';
import { describe } from '../http/errors.ts';
import type { Imports } from '../imports/imports.ts';
import type { Jots } from '../jots/jots.ts';
import type { Registries } from '../kit/registries.ts';
import type { StoredResults } from '../results/stored-results.ts';
import { withLease } from '../memory/with-lease.ts';
import type { Deleting } from '../ports/people.ts';
import type { Ports } from '../ports/ports.ts';

export interface Erasures {
  /** Goes on with every deletion that has begun. */
  goOn(): Promise<void>;
}

type Needs = Pick<Ports, 'browser' | 'clock' | 'digest' | 'log' | 'pending' | 'random' | 'store'> & {
  disconnects: Disconnects;
  eraseAudit: EraseAudit;
  files: Files;
  imports: Pick<Imports, 'remove' | 'list'>;
  jots: Jots;
  registries: Registries;
  results: StoredResults;
};

export function createErasures(deps: Needs): Erasures {
  const { browser, clock, digest, disconnects, eraseAudit, files, imports, jots, log } = deps;
  const { pending, random, registries, results, store } = deps;

  async function endConnections(userId: string): Promise<void> {
    for (const stored of await imports.list(userId))
      if (stored.record.owner === userId) await imports.remove(userId, stored);
    const names = new Set((await store.connections.list(userId)).map(({ integration }) => integration));
    for (const name of names) {
      const integration = await registries.integration(userId, name);
      if (integration !== null) await disconnects.revoke(userId, integration);
    }
  }

  /** Everything in it may run again, and on several processes one after another. */
  async function deleteBelongings(userId: string): Promise<void> {
    await endConnections(userId);
    await jots.deleteAll(userId);
    await files.deleteAll(userId);
    await results.deleteAll(userId);
    await pending.forget(userId);
  }

  async function deleteRows(person: Deleting): Promise<void> {
    const pseudonym = `deleted-${toHex(random.bytes(8))}`;
    await disconnects.handOver(person.id, pseudonym);
    while (await eraseAudit(person.id, pseudonym)) await clock.turn();
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
      for (const person of await store.people.deleting()) {
        try {
          await goOnWith(person);
        } catch (error) {
          log.write('error', 'a deletion could not go on, and is tried again', describe(error));
        }
      }
    },
  };
}
