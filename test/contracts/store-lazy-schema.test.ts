// Tests that a database gets its tables before the first statement, whichever process sends that statement.
import { CompiledQuery } from 'kysely';
import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { createSchema, type Engine } from '../../drivers/sql/engine.ts';
import { openLazily } from '../../drivers/sql/lazy-schema.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { tables } from '../../drivers/sql/tables.ts';
import { describeService, postgresUrl } from '../support/services.ts';
import { openAt } from './store/open-at.ts';
import {
  begun,
  client,
  code,
  connection,
  entry,
  flow,
  hash,
  jot,
  newUser,
  NOW,
  putToken,
  token,
} from './store/records.ts';
import { type Place, postgresPlace, sqlitePlace } from './store/open.ts';

/** Counts how often the schema is created. */
function counting(engine: Engine): { engine: Engine; made: () => number } {
  let made = 0;
  return {
    engine: { ...engine, setUp: (statements) => (made++, engine.setUp(statements)) },
    made: () => made,
  };
}

function lazySchema(name: string, makePlace: () => Promise<Place>): void {
  describe(`lazy schema on ${name}`, () => {
    it('creates the schema once when several first statements race', async () => {
      const place = await makePlace();
      const { engine, made } = counting(openAt(place.url));
      const seen = { complete: false };
      const store = createSqlStore(openLazily(engine, seen));
      await Promise.all([store.users.byId('x'), store.sweep(1), store.clients.delete('x')]);
      expect([made(), seen.complete]).toEqual([1, true]);
      await createSqlStore(openLazily(engine, { complete: false })).users.byId('x');
      expect(made()).toBe(1);
      await engine.close();
      await place.remove();
    });

    it('tries again after a failed set-up', async () => {
      const place = await makePlace();
      const engine = openAt(place.url);
      let refusals = 1;
      const setUp: Engine['setUp'] = (statements) =>
        refusals-- > 0 ? Promise.reject(new Error('gone')) : engine.setUp(statements);
      const store = createSqlStore(openLazily({ ...engine, setUp }, { complete: false }));
      await expect(store.users.byId('x')).rejects.toThrow('gone');
      expect(await store.users.byId('x')).toBeNull();
      await engine.close();
      await place.remove();
    });

    it('adds missing columns and keeps the stored rows', async () => {
      const place = await makePlace();
      const engine = openAt(place.url);
      await createSchema(engine);
      const store = createSqlStore(engine);
      const made = token();
      await putToken(store, made);
      const later = ['previous_hash', 'rotated_at', 'earlier_hash', 'previous_rotated_at'];
      for (const column of later)
        await engine.run(CompiledQuery.raw(`alter table refresh_tokens drop column ${column}`));
      const starting = Array.from({ length: 4 }, () => openAt(place.url));
      await Promise.all(starting.map((each) => createSchema(each)));
      const { token_hash: presented, family, client_id } = made;
      const next = hash();
      expect(
        await store.refreshTokens.rotate({
          presented,
          next,
          family,
          client_id,
          now: NOW,
          expires_at: NOW + 1,
        }),
      ).toStrictEqual({
        outcome: 'rotated',
        hasUser: false,
        token: { ...made, token_hash: next, expires_at: NOW + 1 },
      });
      await Promise.all([engine, ...starting].map((each) => each.close()));
      await place.remove();
    });

    it('keeps a running process working after a newer version adds columns', async () => {
      const place = await makePlace();
      const [engine, newer] = [openAt(place.url), openAt(place.url)];
      await createSchema(engine);
      const store = createSqlStore(engine);
      const user = await store.users.create(newUser());
      const of = { user_id: user.id };
      const [linked, registered, live, page] = [connection(of), client(), token(of), jot(of)];
      await store.connections.put(linked);
      await store.clients.put(registered);
      await putToken(store, live);
      await store.jots.put(page, null);
      await store.audit.append([entry(of)]);
      const take = async () => {
        const [started, granted] = [flow(of), code(of)];
        await Promise.all([store.flows.put(started), store.codes.put(granted)]);
        const taken = [store.flows.take(started.state), store.codes.take(granted.code, begun())];
        expect(await Promise.all(taken)).toStrictEqual([started, granted]);
      };
      const read = () =>
        Promise.all([
          store.users.byId(user.id),
          store.users.create(newUser({ email: user.email })),
          store.connections.get(user.id, linked.integration, ''),
          store.clients.get(registered.client_id),
          store.refreshTokens.list(user.id, NOW),
          store.jots.get(page.name),
          store.audit.list({ ...of, limit: 1 }),
        ]);
      // Runs enough calls that every pooled connection has prepared every statement.
      const atOnce = () => Promise.all(Array.from({ length: 20 }, () => take().then(read)));
      const before = await atOnce();
      for (const table of Object.keys(tables))
        await newer.setUp([`alter table ${table} add column of_a_newer_version text`]);
      expect(await atOnce()).toStrictEqual(before);
      await Promise.all([engine.close(), newer.close()]);
      await place.remove();
    });

    it('creates what is missing in an existing schema', async () => {
      const place = await makePlace();
      const { engine, made } = counting(openAt(place.url));
      await createSchema(engine);
      await engine.run(CompiledQuery.raw('drop index audit_user'));
      await createSqlStore(openLazily(engine, { complete: false })).users.byId('x');
      expect(made()).toBe(2);
      await engine.close();
      await place.remove();
    });
  });
}

lazySchema('sqlite', sqlitePlace);
await describeService('lazy schema', postgresUrl(), () => {
  lazySchema('postgres', postgresPlace);

  it('only checks a complete schema, so that a start waits for no lock', async () => {
    const place = await postgresPlace();
    const [maker, starting] = [openAt(place.url), openAt(place.url)];
    await createSchema(maker);
    const vacuum = postgres(place.url, { max: 1 });
    await vacuum.begin(async (sql) => {
      // A vacuum holds this lock: others may read and write, but nobody may create an index.
      await sql`lock table audit in share update exclusive mode`;
      await createSchema(starting);
      await createSqlStore(starting).audit.append([entry()]);
    });
    await Promise.all([maker.close(), starting.close(), vacuum.end()]);
    await place.remove();
  });
});
