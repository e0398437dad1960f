// Runs the store contract on PostgreSQL, from Node and from workerd.
import { CompiledQuery } from 'kysely';
import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { createSchema } from '../../drivers/sql/engine.ts';
import { openPostgres } from '../../drivers/sql/postgres.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { startPostgresWorker } from '../support/d1/harness.ts';
import { createPostgresSchema, describeService, postgresUrl } from '../support/services.ts';
import { openEmptyPostgres, postgresPlace, storeOn } from './store/open.ts';
import { entry } from './store/records.ts';
import { processesContract } from './store/processes.ts';
import { storeContract } from './store-contract.ts';

await describeService('store on PostgreSQL', postgresUrl(), () => {
  storeContract('postgres', (options) => storeOn(openEmptyPostgres(), options));
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

  it('counts no row before one with a lower id whose transaction has not ended', async () => {
    const schema = await createPostgresSchema();
    const engine = openPostgres(schema.url);
    await createSchema(engine);
    const { audit, usage } = createSqlStore(engine);
    await audit.append([entry()]);
    expect(await usage.settled()).toBe(1);
    const late = postgres(schema.url, { max: 1 });
    const [inserted, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const transaction = late.begin(async (sql) => {
      await sql`insert into audit (user_id, integration, tool, action, success, duration_ms, created_at) values ('late', 'a', 'b', 'EXECUTE', 1, 1, 1)`;
      inserted.resolve();
      await commit.promise;
    });
    await inserted.promise;
    await audit.append([entry(), entry()]);
    expect(await usage.settled()).toBeNull();
    const settled = usage.settled();
    commit.resolve();
    await transaction;
    expect(await settled).toBe(4);
    expect((await usage.rows(1, 4, 9)).map(({ user_id }) => user_id)[0]).toBe('late');
    await Promise.all([late.end(), engine.close()]);
    await schema.drop();
  });

  describe('PostgreSQL from a Worker', () => {
    it('opens the store for each request and reads what the last request wrote', async () => {
      const schema = await createPostgresSchema();
      const harness = await startPostgresWorker(schema.url);
      const ask = async () => (await harness.fetch('/?email=someone@example.com')).json();
      const first = await ask();
      expect(first).toMatchObject({ email: 'someone@example.com', created_at: 2 ** 33, is_owner: true });
      expect(await ask()).toStrictEqual(first);
      await harness.close();
      await schema.drop();
    });
  });
});
