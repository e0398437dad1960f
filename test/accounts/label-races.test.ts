// Tests sign-ins that want one name at the same moment, at two gateways with one database. decision: 028
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../../drivers/sql/engine.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { openAt } from '../contracts/store/open-at.ts';
import { type Place, postgresPlace, sqlitePlace } from '../contracts/store/open.ts';
import { respond } from '../support/fake-probed.ts';
import { fixtures, probed } from '../support/fixtures.ts';
import { openProbedStand, type ProbedStand } from '../support/probed-stand.ts';
import { describeService, postgresUrl } from '../support/services.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const ROUNDS = 4;

function races(name: string, makePlace: () => Promise<Place>): void {
  describe(`one name on ${name}`, () => {
    let place: Place;
    let stand: ProbedStand;
    let other: TestApp;

    beforeAll(async () => {
      place = await makePlace();
      const engines = [openAt(place.url), openAt(place.url)] as const;
      await createSchema(engines[0]);
      stand = await openProbedStand({ ports: { store: createSqlStore(engines[0]) } });
      other = await createTestApp({
        env: stand.provider.env,
        ports: { integrations: [probed, ...fixtures], store: createSqlStore(engines[1]) },
      });
    });
    afterAll(async () => {
      await stand.close();
      await other.close();
      await place.remove();
    });

    const rows = () => stand.app.deps.store.connections.of(stand.ana.id, 'probed');

    /** Begins a sign-in, and returns the address that the provider sends the browser to. */
    async function begin(account: string, code: string): Promise<string> {
      const { body } = await stand.api('GET', `/api/auth/probed?account=${account}`);
      const { searchParams } = new URL(body.url);
      stand.provider.expect(code, searchParams.get('code_challenge') ?? '');
      const query = new URLSearchParams({ code, state: searchParams.get('state') ?? '' });
      return `/api/auth/plugin/probed/callback?${query}`;
    }

    it.each([2, 6])('goes to one of %i accounts, and each other one gets a free name', async (count) => {
      for (let round = 0; round < ROUNDS; round++) {
        const callbacks: string[] = [];
        for (let at = 0; at < count; at++) callbacks.push(await begin('work', `${count}-${round}-${at}`));
        for (let id = 1; id <= count; id++)
          stand.provider.script.push({
            path: '/api/whoami',
            answer: respond(200, { user: { id, name: `n${id}` } }),
          });
        const headers = stand.ana.keyHeader;
        const answers = await Promise.all(
          callbacks.map((path, at) => (at % 2 === 0 ? stand.app : other).request(path, { headers })),
        );
        expect(answers.map(({ status }) => status)).toEqual(Array(count).fill(302));
        const numbers = Array.from({ length: count }, (_, at) => (at === 0 ? 'work' : `work ${at + 1}`));
        const stored = await rows();
        expect(new Set(stored.map(({ label }) => label))).toEqual(new Set(numbers));
        expect(new Set(stored.map(({ account_id }) => account_id)).size).toBe(count);
        await stand.api('DELETE', '/api/connections/probed');
      }
    });
  });
}

races('SQLite', sqlitePlace);
await describeService('one name, at PostgreSQL', postgresUrl(), () => races('PostgreSQL', postgresPlace));
