// Tests what must hold when several processes share one database.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSqlStore } from '../../../drivers/sql/store.ts';
import type { Store } from '../../../src/ports/store.ts';
import { openAt } from './open-at.ts';
import type { Place } from './open.ts';
import { appendUntilKilled, startRacers, type Racers } from './racers.ts';
import { flow, hash, newUser, NOW, putToken, RACING_CLIENT, token } from './records.ts';

export function processesContract(name: string, makePlace: () => Promise<Place>): void {
  describe(`several processes: ${name}`, () => {
    let place: Place;
    let racers: Racers;
    let store: Store;
    beforeAll(async () => {
      place = await makePlace();
      racers = await startRacers(3);
      await racers.all('open', [place.url]);
      await racers.all('setUp', []);
      store = createSqlStore(openAt(place.url));
    });
    afterAll(async () => {
      await racers.stop();
      await store.close();
      await place.remove();
    });

    /** Creates as many users, each with one token of the racing client. */
    const putTokens = async (count: number) => {
      const tokens = Array.from({ length: count }, () => {
        const token_hash = hash();
        return token({ token_hash, family: token_hash, client_id: RACING_CLIENT });
      });
      for (const made of tokens) await putToken(store, made);
      return tokens;
    };
    const live = async (tokens: { user_id: string }[]) => {
      const lists = await Promise.all(tokens.map(({ user_id }) => store.refreshTokens.list(user_id, NOW)));
      return lists.flat().map(({ token_hash }) => token_hash);
    };

    it('lets six processes open and set up an empty database at once', async () => {
      const starters = await startRacers(6);
      for (let round = 0; round < 8; round++) {
        const fresh = await makePlace();
        await starters.all('open', [fresh.url]);
        await starters.all('setUp', []);
        const users = await starters.all('create', [newUser().email]);
        expect(new Set(users.flat()).size).toBe(1);
        await fresh.remove();
      }
      await starters.stop();
    }, 120_000);

    it('rotates each token once when processes race, and keeps exactly its successor', async () => {
      const tokens = await putTokens(60);
      const won = (
        await racers.all(
          'rotate',
          tokens.map(({ token_hash }) => token_hash),
        )
      ).flat();
      expect(won).toHaveLength(tokens.length);
      expect((await live(tokens)).toSorted()).toStrictEqual(won.toSorted());
    });

    it('leaves no live token when a client is revoked during rotations', async () => {
      const tokens = await putTokens(60);
      const racing = racers.all(
        'rotate',
        tokens.map(({ token_hash }) => token_hash),
      );
      for (const { token_hash: presented, user_id } of tokens) {
        const rotate = () =>
          store.refreshTokens.rotate({
            presented,
            next: hash(),
            family: presented,
            client_id: RACING_CLIENT,
            now: NOW,
            expires_at: NOW + 60,
          });
        await Promise.all([
          rotate(),
          store.refreshTokens.revokeClient(user_id, RACING_CLIENT, NOW),
          rotate(),
        ]);
      }
      await racing;
      expect(await live(tokens)).toStrictEqual([]);
    });

    it('gives each flow to one process', async () => {
      const flows = Array.from({ length: 200 }, () => flow());
      for (const made of flows) await store.flows.put(made);
      const states = flows.map(({ state }) => state);
      const taken = (await racers.all('take', states)).flat();
      expect(taken.toSorted()).toStrictEqual(states.toSorted());
    });

    it('creates one user for each e-mail when processes race', async () => {
      const emails = Array.from({ length: 40 }, () => newUser().email);
      const [first, ...others] = await racers.all('create', emails);
      expect(new Set(first).size).toBe(emails.length);
      for (const other of others) expect(other).toStrictEqual(first);
    });

    it('creates one first user when processes race', async () => {
      const fresh = await makePlace();
      const starters = await startRacers(3);
      await starters.all('open', [fresh.url]);
      await starters.all('setUp', []);
      const created = await starters.all(
        'createFirst',
        Array.from({ length: 10 }, () => newUser().email),
      );
      expect(created.flat()).toHaveLength(1);
      await starters.stop();
      await fresh.remove();
    });

    it('gives each name to one import, and never exceeds their number, when processes race', async () => {
      const owner = hash();
      const names = Array.from({ length: 40 }, () => `i${hash()}`);
      const created = (await racers.all('import', [owner, ...names])).flat();
      const listed = await store.imports.list(owner);
      expect(listed.map(({ id }) => id).toSorted()).toStrictEqual(created.toSorted());
      expect(listed).toHaveLength(30);
      expect(new Set(listed.map(({ name }) => name)).size).toBe(30);
      expect(await store.imports.tools(created)).toHaveLength(30);
    });

    it('shows every process the latest read of outside content, whichever process noted it', async () => {
      const { id } = await store.users.create(newUser());
      const times = Array.from({ length: 40 }, (_, at) => NOW + ((at * 7) % 40));
      expect((await racers.all('lastReads', [id])).flat()).toEqual([]);
      await racers.all('noteReads', [id, ...times.map((time) => `${time} web_fetch`)]);
      const seen = (await racers.all('lastReads', [id])).flat();
      expect(seen).toHaveLength(3);
      expect(new Set(seen).size).toBe(1);
      expect(seen[0]).toMatch(new RegExp(`^${NOW + 39} web_fetch_\\d+$`));
    });

    it('keeps every acknowledged row and no partial append after kill -9', async () => {
      const user_id = hash();
      const acknowledged = await appendUntilKilled(place.url, user_id, 60);
      const rows = await store.audit.list({ user_id, limit: 100_000 });
      expect(rows.length).toBeGreaterThanOrEqual(acknowledged * 2);
      expect(rows.length % 2).toBe(0);
    });
  });
}
