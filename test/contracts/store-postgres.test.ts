// Runs the store contract on PostgreSQL, from Node and from workerd.
import { CompiledQuery } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openPostgres } from '../../drivers/sql/postgres.ts';
import { startPostgresWorker } from '../support/d1/harness.ts';
import { createPostgresSchema, describeService, postgresUrl } from '../support/services.ts';
import { openEmptyPostgres, postgresPlace, storeOn } from './store/open.ts';
import { processesContract } from './store/processes.ts';
import { storeContract } from './store-contract.ts';

await describeService('store on PostgreSQL', postgresUrl(), () => {
  storeContract('postgres', () => storeOn(openEmptyPostgres()));
  processesContract('postgres', postgresPlace);

  it('matches each result to its statement, also while the server drops prepared statements', async () => {
    const schema = await createPostgresSchema();
    const engine = openPostgres(schema.url);
    const statements = Array.from({ length: 8 }, (_, at) => `select $1::text as said, ${at} as at`);
    const told = async (round: number) => {
      const asked = Array.from({ length: 64 }, (_, at) => ({ said: `${round}-${at}`, at: at % 8 }));
      const queries = asked.map(({ said, at }) => CompiledQuery.raw(statements[at] ?? '', [said]));
      const drop = CompiledQuery.raw('deallocate all');
      const [single, together] = await Promise.all([
        Promise.all(queries.flatMap((query, at) => [...(at % 9 === 0 ? [drop] : []), query]).map(engine.run)),
        Promise.allSettled(
          queries.map((query, at) => engine.batch([...(at % 9 === 0 ? [drop] : []), query, query])),
        ),
      ]);
      return { asked, single: single.flatMap(({ rows }) => rows), together };
    };
    for (let round = 0; round < 30; round++) {
      const { asked, single, together } = await told(round);
      expect(single).toEqual(asked);
      // A batch fails as a whole only when its prepared statements were dropped.
      for (const [at, answer] of together.entries()) {
        if (answer.status === 'rejected') expect(String(answer.reason)).toMatch(/does not exist/);
        else expect(answer.value.flatMap(({ rows }) => rows)).toEqual([asked[at], asked[at]]);
      }
    }
    await engine.close();
    await schema.drop();
  });

  describe('PostgreSQL from a Worker', () => {
    it('opens the store for each request and reads what the last request wrote', async () => {
      const schema = await createPostgresSchema();
      const harness = await startPostgresWorker(schema.url);
      const ask = async () => (await harness.fetch('/?email=someone@example.com')).json();
      const first = await ask();
      expect(first).toMatchObject({ email: 'someone@example.com', created_at: 2 ** 33, is_admin: false });
      expect(await ask()).toStrictEqual(first);
      await harness.close();
      await schema.drop();
    });
  });
});
