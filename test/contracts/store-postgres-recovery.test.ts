// Tests how the store recovers when PostgreSQL or the connection to it fails.
import { CompiledQuery } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSchema, engineError, type Engine } from '../../drivers/sql/engine.ts';
import { openPostgres } from '../../drivers/sql/postgres.ts';
import { LostConnection } from '../../drivers/sql/postgres-pool.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import { DiskFull, Unavailable } from '../../src/ports/unavailable.ts';
import {
  administer,
  createPostgresSchema,
  describeService,
  postgresUrl,
  type PostgresSchema,
} from '../support/services.ts';
import { entry, flow, hash } from './store/records.ts';
import { startTcpProxy, type TcpProxy } from './store/tcp-proxy.ts';

await describeService('PostgreSQL failures', postgresUrl(), () => {
  let schema: PostgresSchema;
  beforeAll(async () => {
    schema = await createPostgresSchema();
    const engine = openPostgres(schema.url);
    await createSchema(engine);
    await engine.close();
  });
  afterAll(() => schema.drop());

  /** Selects the backends of the stores under test. `administer` connects under another name. */
  const backends = () =>
    `from pg_stat_activity where application_name = '${new URL(schema.url).searchParams.get('application_name')}'`;
  const connections = async () => (await administer(`select pid ${backends()}`)).length;
  const rows = async (userId: string) => {
    const store = createSqlStore(openPostgres(schema.url, { max: 2 }));
    const { length } = await store.audit.list({ user_id: userId, limit: 1_000_000 });
    await store.close();
    return length;
  };

  describe('refused statements', () => {
    it.each([
      ['25006', 'read_only_sql_transaction', Unavailable],
      ['40001', 'serialization_failure', Unavailable],
      ['40P01', 'deadlock_detected', Unavailable],
      ['53200', 'out_of_memory', Unavailable],
      ['55P03', 'lock_not_available', Unavailable],
      ['57014', 'query_canceled', Unavailable],
      ['53100', 'disk_full', DiskFull],
      ['42601', 'syntax_error', DriverFailure],
    ])('classifies %s (%s) as unavailable or as a lasting failure', async (code, _, kind) => {
      const engine = openPostgres(schema.url);
      const refused = CompiledQuery.raw(`do $$ begin raise exception using errcode = '${code}'; end $$`);
      await expect(engine.run(refused)).rejects.toBeInstanceOf(kind);
      await expect(engine.batch([refused])).rejects.toBeInstanceOf(kind);
      await engine.close();
    });
  });

  describe('backends killed under load', () => {
    it('rejects the calls in flight, recovers at once, and loses no acknowledged row', async () => {
      const store = createSqlStore(openPostgres(schema.url));
      const user_id = hash();
      const failures: unknown[] = [];
      let acknowledged = 0;
      const stopped = new AbortController();
      // One row makes one statement; three rows make a batch of two.
      const load = async (count: number) => {
        while (!stopped.signal.aborted) {
          try {
            await store.audit.append(Array.from({ length: count }, () => entry({ user_id })));
            acknowledged += count;
          } catch (error) {
            failures.push(error);
          }
        }
      };
      const loads = [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3].map(load);
      const progress = async () => {
        const before = acknowledged;
        await expect.poll(() => acknowledged).toBeGreaterThan(before + 100);
      };
      for (let round = 0; round < 10; round++) {
        await progress();
        // Connections that open after one kill meet the next kill.
        for (let kill = 0; kill < 4; kill++)
          await administer(`select pg_terminate_backend(pid) ${backends()}`);
      }
      await progress();
      stopped.abort();
      await Promise.all(loads);

      expect(failures.length).toBeGreaterThan(0);
      for (const failure of failures) {
        expect(failure).toBeInstanceOf(Unavailable);
        expect(failure).toHaveProperty(
          'message',
          expect.stringMatching(/^\[postgres\] cannot write audit: /),
        );
        expect(failure).toHaveProperty('cause', expect.any(Error));
      }
      await expect.poll(connections).toBeLessThanOrEqual(10);
      // A commit may have happened although its acknowledgement was lost.
      expect(await rows(user_id)).toBeGreaterThanOrEqual(acknowledged);
      await store.close();
      await expect.poll(connections).toBe(0);
    });
  });

  describe('network failures', () => {
    let proxy: TcpProxy;
    beforeAll(async () => {
      const { hostname, port } = new URL(postgresUrl());
      proxy = await startTcpProxy(hostname, Number(port) || 5432);
    });
    afterAll(() => proxy.close());
    const openThroughProxy = () => {
      const url = new URL(schema.url);
      url.hostname = '127.0.0.1';
      url.port = String(proxy.port);
      return createSqlStore(openPostgres(url.href));
    };

    it.each(['hangUp', 'fallSilent'] as const)(
      'rejects in time when the server fails by %s, and works afterwards',
      async (failing) => {
        const store = openThroughProxy();
        const asked = [() => store.users.byId(hash()), () => store.clients.delete(hash())];
        for (const ask of asked) await ask();
        await proxy[failing]();
        // The test advances only the timers; the sockets are real.
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
        try {
          for (const ask of [...asked, ...asked]) {
            const rejected = expect(ask()).rejects.toThrow(Unavailable);
            await vi.advanceTimersByTimeAsync(15_000);
            await rejected;
          }
        } finally {
          vi.useRealTimers();
          await proxy.restore();
        }
        for (const ask of asked) await ask();
        await store.close();
      },
    );

    it('rejects at once while connections are refused and works at once afterwards', async () => {
      const store = openThroughProxy();
      await store.users.byId(hash());
      await proxy.refuse();
      for (let attempt = 0; attempt < 12; attempt++) {
        await expect(store.users.byId(hash())).rejects.toThrow(Unavailable);
      }
      await proxy.restore();
      expect(await store.users.byId(hash())).toBeNull();
      await store.close();
    }, 5000);

    it('reports a closed port as unavailable with its reason', async () => {
      const store = createSqlStore(openPostgres('postgres://nobody@127.0.0.1:1/none'));
      await expect(store.users.byId(hash())).rejects.toThrow(
        /^\[postgres\] cannot read users: .*ECONNREFUSED/,
      );
      await expect(store.clients.delete(hash())).rejects.toThrow(Unavailable);
      await store.close();
    });

    it('names the error of each address when a name has two', () => {
      const refused = new AggregateError([new Error('refused at ::1'), new Error('refused at 127.0.0.1')]);
      const lost = new LostConnection(refused.message, { cause: refused });
      expect(engineError('postgres', 'select 1', lost).message).toBe(
        '[postgres] refused at ::1, refused at 127.0.0.1',
      );
    });
  });

  describe('a server without a free connection', () => {
    const role = `role_${hash().slice(0, 12)}`;
    const sleeping = (seconds: number) => CompiledQuery.raw(`select pg_sleep(${seconds})`);
    let engines: Engine[] = [];
    const open = (count: number) => {
      const url = new URL(schema.url);
      url.username = role;
      url.password = role;
      engines = Array.from({ length: count }, () => openPostgres(url.href, { max: 2 }));
      return engines;
    };
    beforeAll(async () => {
      await administer(`create role ${role} login password '${role}' connection limit 2`);
    });
    afterEach(async () => {
      await Promise.all(engines.map((engine) => engine.close()));
      await expect.poll(connections).toBe(0);
    });
    afterAll(async () => {
      await administer(`drop role ${role}`);
    });

    it('lets a statement and a batch wait until another process ends a connection', async () => {
      const work = open(8).map(async (engine, n) => {
        const done = await (n % 2 === 0 ? engine.run(sleeping(0.1)) : engine.batch([sleeping(0.1)]));
        await engine.close();
        return done;
      });
      const done = expect.objectContaining({ changes: 1 });
      expect(await Promise.all(work)).toEqual([done, [done], done, [done], done, [done], done, [done]]);
    });

    it('rejects after three seconds, and works when a connection is free again', async () => {
      const [holding, waiting] = open(2);
      const held = Promise.all([holding?.run(sleeping(4)), holding?.batch([sleeping(4)])]);
      await expect.poll(connections).toBe(2);
      await expect(waiting?.run(sleeping(0))).rejects.toBeInstanceOf(Unavailable);
      await held;
      await holding?.close();
      expect(await waiting?.run(sleeping(0))).toMatchObject({ changes: 1 });
    });
  });

  describe('concurrent statements', () => {
    it('commits batches that follow any number of statements', async () => {
      const store = createSqlStore(openPostgres(schema.url, { max: 4 }));
      const user_id = hash();
      const one = [entry({ user_id })];
      const three = [...one, ...one, ...one];
      let appended = 0;
      for (let count = 196; count < 206; count++) {
        const reads = Array.from({ length: count }, () => store.users.byId('nobody'));
        // postgres.js sends a statement some microtasks after the call.
        for (let turn = 0; turn < 4; turn++) await Promise.resolve();
        await Promise.all([...reads, store.audit.append(three), store.audit.append(one)]);
        appended += 4;
      }
      expect(await rows(user_id)).toBe(appended);
      await store.close();
    });

    it('stores values of a megabyte while a batch runs', async () => {
      const store = createSqlStore(openPostgres(schema.url, { max: 2 }));
      const flows = Array.from({ length: 10 }, () => flow({ session_data: 'x'.repeat(1_000_000) }));
      await Promise.all([...flows.map((put) => store.flows.put(put)), store.clients.delete(hash())]);
      expect(await store.flows.take(flows[0]?.state ?? '')).toStrictEqual(flows[0]);
      await store.close();
    });
  });
});
