// Tests how everything stored is sealed again under a new key. reference: Secrets at rest; decision: 024
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSystemRandom } from '../../drivers/system/random.ts';
import { type Rotation, rotateKeys } from '../../src/maintenance/rotate-keys.ts';
import { createSeal, type Seal } from '../../src/crypto/seal.ts';
import { FEATURES } from '../../src/features.ts';
import { placeOfKept } from '../../src/calls/once/once.ts';
import { placeOfDetails } from '../../src/record/details/details.ts';
import { placeOf } from '../../src/connections/model/vault.ts';
import { placeOfTask } from '../../src/mcp/tasks/kept-batch.ts';
import { placeOfCall, placeOfRun } from '../../src/scripts/kept-run.ts';
import { placeOfImport } from '../../src/imports/model/settings-place.ts';
import type { Connection, ImportRecord } from '../../src/ports/records.ts';
import { EVERYONE, type Store } from '../../src/ports/store.ts';
import { openEmptyPostgres, openEmptySqlite, storeOn } from '../contracts/store/open.ts';
import { connection, executionKey, hash, importRecord, newUser, NOW } from '../contracts/store/records.ts';
import { runRecord } from '../contracts/store/scripts.ts';
import { MANY_TASKS, taskRecord } from '../contracts/store/tasks.ts';
import type { OpenStore } from '../contracts/store-contract.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startProvider } from '../support/fake-provider.ts';
import { call } from '../support/mcp.ts';
import { describeService, postgresUrl } from '../support/services.ts';
import { createTestApp } from '../support/test-app.ts';
import { waitFor } from '../support/wait.ts';

const COLUMNS = ['access_token', 'refresh_token', 'cookies'] as const;
type Texts = Partial<Record<(typeof COLUMNS)[number], string | null>>;
const FULL: Texts = { access_token: 'access', refresh_token: 'refresh', cookies: 'jar' };
/** More than two pages. */
const MANY = 120;

const random = createSystemRandom();
const key = () => randomBytes(32).toString('hex');

/** Old and new keys, and a gateway for each. */
async function createSeals() {
  const [old, next] = [key(), key()];
  return {
    old: await createSeal([old], random),
    both: await createSeal([next, old], random),
    next: await createSeal([next], random),
    foreign: await createSeal([key()], random),
  };
}
type Seals = Awaited<ReturnType<typeof createSeals>>;

async function sealed(seal: Seal, texts: Texts, row: Partial<Connection> = {}): Promise<Connection> {
  const whole = connection({ access_token: null, refresh_token: null, cookies: null, ...row });
  for (const column of COLUMNS) {
    const text = texts[column];
    if (typeof text === 'string') whole[column] = await seal.seal(text, placeOf(whole, column));
  }
  return whole;
}

async function opened(seal: Seal, row: Connection | null): Promise<Texts> {
  const texts: Texts = {};
  for (const column of COLUMNS) {
    const text = row?.[column] ?? null;
    if (row !== null && text !== null) texts[column] = await seal.open(text, placeOf(row, column));
  }
  return texts;
}

function rotationOn(name: string, open: () => Promise<OpenStore>): void {
  describe(`rotate-keys on ${name}`, () => {
    let opening: OpenStore;
    let store: Store;
    let seals: Seals;
    beforeAll(async () => {
      opening = await open();
    });
    afterAll(() => opening.close());

    /** Deletes the rows of other tests. */
    async function begin(): Promise<void> {
      store = opening.store;
      seals = await createSeals();
      for (const { user_id, integration, account } of await store.connections.page(null, 10_000))
        await store.connections.delete(user_id, integration, account);
      for (const { id } of await store.users.pageOfSealedKeys(null, 10_000))
        await store.users.setKey(id, { api_key_hash: null, api_key_sha: null, api_key_ciphertext: null });
      for (const { integration } of await store.providerClients.list())
        await store.providerClients.delete(integration);
      for (const added of await store.imports.page(null, 10_000)) await store.imports.delete(added);
    }

    const rotate = (on = store, report: (progress: Readonly<Rotation>) => void = () => {}) =>
      rotateKeys(
        { features: FEATURES, store: on, seal: seals.both, random, clock: createFakeClock() },
        report,
      );

    async function put(seal: Seal, texts: Texts, row: Partial<Connection> = {}): Promise<Connection> {
      const whole = await sealed(seal, texts, row);
      await store.connections.put(whole);
      return whole;
    }

    async function putKey(seal: Seal, apiKey: string): Promise<string> {
      const { id } = await store.users.create(newUser());
      const api_key_ciphertext = await seal.seal(apiKey, [id, '', 'api_key']);
      await store.users.setKey(id, { api_key_hash: 'h', api_key_sha: hash(), api_key_ciphertext });
      return id;
    }

    const row = ({ user_id, integration, account }: Connection) =>
      store.connections.get(user_id, integration, account);
    async function keyOf(seal: Seal, id: string): Promise<string | null> {
      const text = (await store.users.byId(id))?.api_key_ciphertext ?? '';
      return seal.open(text, [id, '', 'api_key']);
    }

    it('moves every kind of value to the new key and leaves the rest of the row alone', async () => {
      await begin();
      const full = await put(seals.old, FULL);
      const apikey = await put(seals.old, { access_token: '{"a":"b"}' }, { expires_at: null, config: null });
      const cookie = await put(seals.old, { cookies: 'jar' }, { access_token: 'cookie-auth' });
      const empty = await put(seals.old, {});
      const user = await putKey(seals.old, 'the key');

      expect(await rotate()).toEqual({ resealed: 6, alreadyCurrent: 0, unreadable: [] });
      expect(await opened(seals.next, await row(full))).toEqual(FULL);
      expect(await opened(seals.next, await row(apikey))).toEqual({ access_token: '{"a":"b"}' });
      expect(await opened(seals.next, await row(cookie))).toMatchObject({ cookies: 'jar' });
      expect((await row(cookie))?.access_token).toBe('cookie-auth');
      expect(await keyOf(seals.next, user)).toBe('the key');
      for (const before of [full, apikey, cookie, empty]) {
        const { access_token: _a, refresh_token: _r, cookies: _c, ...rest } = before;
        expect(await row(before)).toMatchObject(rest);
      }
      expect(await row(empty)).toStrictEqual(empty);
    });

    it('moves the details of calls, and does not mind those that no key opens', async () => {
      await begin();
      const { id: user } = await store.users.create(newUser());
      const ids = [randomUUID(), randomUUID()];
      const sealWith = async (seal: Seal, id = '') => ({
        id,
        created_at: 1,
        expires_at: 9,
        sealed: await seal.seal('what was said', placeOfDetails(user, id)),
      });
      const records = [await sealWith(seals.old, ids[0]), await sealWith(seals.foreign, ids[1])];
      await store.callDetails.keep(user, records, { calls: 5, characters: 10_000 });
      expect(await rotate()).toEqual({ resealed: 1, alreadyCurrent: 0, unreadable: [] });
      const [first, second] = await Promise.all(ids.map((id) => store.callDetails.get(user, id, 1)));
      expect(await seals.next.open(first?.sealed ?? '', placeOfDetails(user, ids[0] ?? ''))).toBe(
        'what was said',
      );
      expect(second).toStrictEqual(records[1]);
      await store.callDetails.choose(user, false);
    });

    it('moves what is kept of calls with a key', async () => {
      await begin();
      const { id: user_id } = await store.users.create(newUser());
      const row = executionKey({ user_id });
      await store.executionKeys.claim(row, 5);
      const sealed = await seals.old.seal('what was answered', placeOfKept(row));
      await store.executionKeys.move(row, { run: row.run, state: 'done', running_until: null, sealed });
      expect(await rotate()).toEqual({ resealed: 1, alreadyCurrent: 0, unreadable: [] });
      const [now] = await store.executionKeys.list(user_id, NOW, null, 5);
      expect(await seals.next.open(now?.sealed ?? '', placeOfKept(row))).toBe('what was answered');
      await store.executionKeys.release(row.id, row.run);
    });

    it('moves the calls of tasks', async () => {
      await begin();
      const { id: user_id } = await store.users.create(newUser());
      const task = taskRecord({ user_id });
      const sealed = await seals.old.seal('what was asked', placeOfTask(task));
      await store.tasks.add({ ...task, sealed }, [], MANY_TASKS);
      expect(await rotate()).toEqual({ resealed: 1, alreadyCurrent: 0, unreadable: [] });
      const moved = await store.tasks.get(user_id, task.id);
      expect(await seals.next.open(moved?.sealed ?? '', placeOfTask(task))).toBe('what was asked');
      while (await store.sweep(task.expires_at));
    });

    it('moves the runs of scripts and their calls', async () => {
      await begin();
      const { id: user_id } = await store.users.create(newUser());
      const run = runRecord({ user_id, state: 'waiting', running_until: null });
      const sealed = await seals.old.seal('the code', placeOfRun(run));
      const at = { run_id: run.id, position: 0, place: 0, user_id, expires_at: run.expires_at };
      await store.scriptRuns.add({ ...run, state: 'running', sealed }, { runs: 5, characters: 10_000 });
      const answer = await seals.old.seal('the answer', placeOfCall(at));
      expect(await store.scriptRuns.append(run, { ...at, sealed: answer }, NOW)).toBe(true);
      expect(await rotate()).toEqual({ resealed: 2, alreadyCurrent: 0, unreadable: [] });
      const moved = await store.scriptRuns.get(user_id, run.id);
      const [call] = await store.scriptRuns.calls(user_id, run.id);
      expect(await seals.next.open(moved?.sealed ?? '', placeOfRun(run))).toBe('the code');
      expect(await seals.next.open(call?.sealed ?? '', placeOfCall(at))).toBe('the answer');
      while (await store.sweep(run.expires_at));
    });

    it('moves every account of an integration, each to its own place', async () => {
      await begin();
      const { user_id } = await put(seals.old, FULL);
      const rows: Connection[] = [];
      for (const account of ['', 'b', 'c'])
        rows.push(await put(seals.old, { access_token: `access ${account}` }, { user_id, account }));
      expect(await rotate()).toEqual({ resealed: 3, alreadyCurrent: 0, unreadable: [] });
      for (const { account, ...rest } of rows) {
        const now = await row({ ...rest, account });
        expect(await opened(seals.next, now)).toEqual({ access_token: `access ${account}` });
        const elsewhere = now === null ? null : { ...now, account: 'another' };
        expect(await opened(seals.next, elsewhere)).toEqual({ access_token: null });
      }
    });

    it('skips current values: a second run writes nothing', async () => {
      await begin();
      await put(seals.old, FULL);
      await put(seals.next, FULL);
      await putKey(seals.next, 'k');
      expect(await rotate()).toEqual({ resealed: 3, alreadyCurrent: 4, unreadable: [] });
      const [keys, rows] = [
        await store.users.pageOfSealedKeys(null, 9),
        await store.connections.page(null, 9),
      ];
      expect(await rotate()).toEqual({ resealed: 0, alreadyCurrent: 7, unreadable: [] });
      expect(await store.users.pageOfSealedKeys(null, 9)).toEqual(keys);
      expect(await store.connections.page(null, 9)).toEqual(rows);
    });

    it('moves OAuth clients of integrations, and reports those that no key opens', async () => {
      await begin();
      const place = (integration: string) => ['', integration, 'provider_client'] as const;
      const seal = async (by: Seal, integration: string) =>
        store.providerClients.put({
          integration,
          sealed_client: await by.seal('the client', place(integration)),
          updated_at: 1,
        });
      await seal(seals.old, 'github');
      await seal(seals.next, 'slack');
      await seal(seals.foreign, 'notion');
      expect(await rotate()).toEqual({
        resealed: 1,
        alreadyCurrent: 1,
        unreadable: [{ userId: '', integration: 'notion', column: 'provider_client' }],
      });
      for (const integration of ['github', 'slack']) {
        const row = await store.providerClients.get(integration);
        expect(await seals.next.open(row?.sealed_client ?? '', place(integration))).toBe('the client');
      }
    });

    async function putImport(seal: Seal, changes: Partial<ImportRecord> = {}): Promise<ImportRecord> {
      const made = importRecord(changes);
      made.settings = await seal.seal('the settings', placeOfImport(made.id));
      expect(await store.imports.create(made, [], MANY)).toBe('created');
      return made;
    }
    const settingsOf = async ({ id, owner, name }: ImportRecord) =>
      seals.next.open((await store.imports.get(owner, name))?.settings ?? '', placeOfImport(id));

    it('moves the settings of all imports, keeps their version, and reports those that no key opens', async () => {
      await begin();
      const owner = randomUUID();
      const moved = [await putImport(seals.old, { owner: EVERYONE })];
      for (let index = 0; index < 60; index++) moved.push(await putImport(seals.old, { owner }));
      const current = await putImport(seals.next);
      const lost = await putImport(seals.foreign);
      expect(await rotate()).toEqual({
        resealed: moved.length,
        alreadyCurrent: 1,
        unreadable: [{ userId: lost.owner, integration: lost.name, column: 'import' }],
      });
      for (const one of [...moved, current]) expect(await settingsOf(one)).toBe('the settings');
      for (const one of moved) {
        const { settings: _, ...rest } = one;
        expect(await store.imports.get(one.owner, one.name)).toMatchObject(rest);
      }
      expect(await store.imports.get(lost.owner, lost.name)).toStrictEqual(lost);
      expect((await rotate()).resealed).toBe(0);
    });

    it('never overwrites settings that were stored in between, nor restores those of a deleted import', async () => {
      await begin();
      const [changed, deleted] = [await putImport(seals.old), await putImport(seals.old)];
      const settings = await seals.both.seal('newer settings', placeOfImport(changed.id));
      const { imports } = store;
      let left = 2;
      const racing: Store = {
        ...store,
        imports: {
          ...imports,
          async swapSettings(...swap) {
            if (left-- > 0) {
              await imports.update(changed, { ...changed, settings, version: hash() }, {});
              await imports.delete(deleted);
            }
            return imports.swapSettings(...swap);
          },
        },
      };
      expect(await rotate(racing)).toEqual({ resealed: 0, alreadyCurrent: 1, unreadable: [] });
      expect(await settingsOf(changed)).toBe('newer settings');
      expect(await store.imports.page(null, 9)).toHaveLength(1);
    });

    it('finds nothing where nothing is stored', async () => {
      await begin();
      expect(await rotate()).toEqual({ resealed: 0, alreadyCurrent: 0, unreadable: [] });
    });

    it('leaves a value that no key opens, reports its place, and moves the rest of the row', async () => {
      await begin();
      const half = await sealed(seals.old, FULL);
      half.refresh_token = await seals.foreign.seal('x', [half.user_id, half.integration, 'refresh_token']);
      await store.connections.put(half);
      // This value was sealed for another row, so no key opens it here.
      const moved = await put(seals.old, {}, { cookies: half.cookies });
      const plain = await put(seals.old, {}, { access_token: 'left in the open' });
      const user = await putKey(seals.foreign, 'k');

      const { unreadable, ...counts } = await rotate();
      expect(counts).toEqual({ resealed: 2, alreadyCurrent: 0 });
      expect(unreadable).toHaveLength(4);
      expect(unreadable).toEqual(
        expect.arrayContaining([
          { userId: half.user_id, integration: half.integration, column: 'refresh_token' },
          { userId: moved.user_id, integration: moved.integration, column: 'cookies' },
          { userId: plain.user_id, integration: plain.integration, column: 'access_token' },
          { userId: user, integration: '', column: 'api_key' },
        ]),
      );
      const after = await row(half);
      expect(after?.refresh_token).toBe(half.refresh_token);
      expect(await opened(seals.next, after)).toEqual({ ...FULL, refresh_token: null });
      expect(await row(moved)).toStrictEqual(moved);
      expect(await row(plain)).toStrictEqual(plain);
      expect(await keyOf(seals.foreign, user)).toBe('k');
    });

    it('reaches all of many rows, reports progress, and lets other work run between pages', async () => {
      await begin();
      for (let index = 0; index < MANY; index++) await put(seals.old, { access_token: `${index}` });
      await putKey(seals.old, 'k');
      const [clock, seen, turns] = [createFakeClock(), [] as number[], { taken: 0 }];
      const turn = () => clock.turn().finally(() => turns.taken++);
      const report = ({ resealed }: Readonly<Rotation>) => seen.push(resealed);
      const done = await rotateKeys(
        { features: FEATURES, store, seal: seals.both, random, clock: { ...clock, turn } },
        report,
      );
      expect(done.resealed).toBe(MANY + 1);
      expect(seen.at(-1)).toBe(MANY + 1);
      expect(seen.length).toBeGreaterThan(2);
      expect(turns.taken).toBe(seen.length);
      for (const left of await store.connections.page(null, MANY))
        expect(seals.next.isCurrent(left.access_token ?? '')).toBe(true);
    });

    it('loses nothing when it is stopped half-way, and continues where it was', async () => {
      await begin();
      const rows = [];
      for (let index = 0; index < MANY; index++)
        rows.push(await put(seals.old, { access_token: `${index}` }));
      await expect(
        rotate(store, () => {
          throw new Error('stopped');
        }),
      ).rejects.toThrow('stopped');
      const half = await Promise.all(rows.map(row));
      const moved = half.filter((one) => seals.next.isCurrent(one?.access_token ?? ''));
      expect(moved.length).toBeGreaterThan(0);
      expect(moved.length).toBeLessThan(MANY);
      for (const [index, one] of half.entries())
        expect(await opened(seals.both, one)).toEqual({ access_token: `${index}` });

      expect(await rotate()).toEqual({
        resealed: MANY - moved.length,
        alreadyCurrent: moved.length,
        unreadable: [],
      });
      for (const [index, one] of rows.entries())
        expect(await opened(seals.next, await row(one))).toEqual({ access_token: `${index}` });
    });

    /** A store in which another process writes right before the first swaps. */
    function raced(before: (swap: 'key' | 'connection') => Promise<unknown>, times: number): Store {
      let left = times;
      const first = async (swap: 'key' | 'connection') => {
        if (left-- > 0) await before(swap);
      };
      const { users, connections } = store;
      return {
        ...store,
        users: {
          ...users,
          swapSealedKey: (...swap) => first('key').then(() => users.swapSealedKey(...swap)),
        },
        connections: {
          ...connections,
          swap: (...swap) => first('connection').then(() => connections.swap(...swap)),
        },
      };
    }

    it.each<[string, 'old' | 'both', Rotation]>([
      ['with the new key', 'both', { resealed: 0, alreadyCurrent: 3, unreadable: [] }],
      ['with the old key', 'old', { resealed: 3, alreadyCurrent: 0, unreadable: [] }],
    ])('never overwrites what another process has stored %s in between', async (_with, by, counts) => {
      await begin();
      const seen = await put(seals.old, FULL);
      const newer = { access_token: 'a2', refresh_token: 'r2', cookies: 'c2' };
      // Three times: a lost swap is retried as often as it is lost.
      const racing = raced(() => put(seals[by], newer, { ...seen, scopes: 'new' }), 3);
      expect(await rotate(racing)).toEqual(counts);
      expect(await opened(seals.next, await row(seen))).toEqual(newer);
      expect((await row(seen))?.scopes).toBe('new');
    });

    it('never restores a key or a connection that was deleted in between', async () => {
      await begin();
      const [seen, user] = [await put(seals.old, FULL), await putKey(seals.old, 'k')];
      const none = { api_key_hash: null, api_key_sha: null, api_key_ciphertext: null };
      const racing = raced(
        (swap) =>
          swap === 'key'
            ? store.users.setKey(user, none)
            : store.connections.delete(seen.user_id, seen.integration, ''),
        2,
      );
      expect(await rotate(racing)).toEqual({ resealed: 0, alreadyCurrent: 0, unreadable: [] });
      expect(await row(seen)).toBeNull();
      expect((await store.users.byId(user))?.api_key_ciphertext).toBeNull();
    });

    it('never overwrites a key that was created in between', async () => {
      await begin();
      const user = await putKey(seals.old, 'old key');
      const api_key_ciphertext = await seals.both.seal('new key', [user, '', 'api_key']);
      const minted = { api_key_hash: 'h2', api_key_sha: hash(), api_key_ciphertext };
      const racing = raced(() => store.users.setKey(user, minted), 1);
      expect(await rotate(racing)).toEqual({ resealed: 0, alreadyCurrent: 1, unreadable: [] });
      expect(await keyOf(seals.next, user)).toBe('new key');
    });

    it('runs beside a gateway that writes, and beside itself', async () => {
      await begin();
      const latest = new Map<string, string>();
      const rows: Connection[] = [];
      for (let index = 0; index < MANY; index++) {
        const one = await put(seals.old, { access_token: 'first' });
        rows.push(one);
        latest.set(one.user_id, 'first');
      }
      const state = { done: false };
      async function write(): Promise<number> {
        let writes = 0;
        while (!state.done) {
          const one = rows[(writes * 7) % MANY];
          if (one === undefined) break;
          const text = randomUUID();
          await put(seals.both, { access_token: text }, one);
          latest.set(one.user_id, text);
          writes++;
          await new Promise((resolve) => setImmediate(resolve));
        }
        return writes;
      }
      const writing = write();
      const [one, other] = await Promise.all([rotate(), rotate()]);
      state.done = true;
      expect(await writing).toBeGreaterThan(0);
      expect([one.unreadable, other.unreadable]).toEqual([[], []]);
      expect(one.resealed + one.alreadyCurrent).toBe(MANY);
      for (const seen of rows)
        expect(await opened(seals.next, await row(seen))).toEqual({ access_token: latest.get(seen.user_id) });
    });
  });
}

describe('rotate-keys beside a token refresh', () => {
  it('waits for the refresh, so the new tokens are kept', async () => {
    const [old, next] = [key(), key()];
    const provider = await startProvider();
    const app = await createTestApp({
      env: {
        ENCRYPTION_KEY: next,
        ENCRYPTION_KEY_PREVIOUS: old,
        VAULTED_CLIENT_ID: 'id',
        VAULTED_CLIENT_SECRET: 'secret',
        UPSTREAM_MAP: `https://vaulted.example=${provider.url}`,
      },
    });
    const { store, seal } = app.deps;
    const ana = await app.user();
    const { access, refresh } = provider.current;
    const [formerly, alone] = [await createSeal([old], random), await createSeal([next], random)];
    const place = { user_id: ana.id, integration: 'vaulted', config: null, expires_at: app.clock.now() - 1 };
    await store.connections.put(
      await sealed(formerly, { access_token: access, refresh_token: refresh }, place),
    );

    const rotating = Promise.withResolvers<Rotation>();
    const meetsLease = Promise.withResolvers<void>();
    // Other features store values of this call when it has ended, and the rotation would count them or not.
    const features = FEATURES.filter(({ name }) => name === 'connections');
    provider.script.push(async (_, response) => {
      const sleep = () => {
        meetsLease.resolve();
        return app.clock.turn();
      };
      const clock = { ...app.clock, sleep };
      rotating.resolve(rotateKeys({ features, store, seal, random, clock }, () => {}));
      await waitFor('a rotation that waits for the lease', meetsLease.promise, () => '');
      provider.current = { access: 'changed access', refresh: 'changed refresh' };
      const answer = { access_token: 'changed access', refresh_token: 'changed refresh', expires_in: 3600 };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    const executions = [{ tool: 'vaulted_get', args: { path: '/x' } }];
    const { results } = await call(app, ana.keyHeader, 'execute_tools', { executions });
    expect(results).toMatchObject([{ result: { status: 200 } }]);
    expect(await rotating.promise).toEqual({ resealed: 0, alreadyCurrent: 2, unreadable: [] });
    expect(await opened(alone, await store.connections.get(ana.id, 'vaulted', ''))).toEqual({
      access_token: 'changed access',
      refresh_token: 'changed refresh',
    });
    expect(await store.leases.acquire(`refresh ${ana.id} vaulted`, 'next', app.clock.now(), 0)).toBe(true);
    await app.close();
    await provider.close();
  });
});

rotationOn('SQLite', () => storeOn(openEmptySqlite()));
await describeService('PostgreSQL', postgresUrl(), () =>
  rotationOn('PostgreSQL', () => storeOn(openEmptyPostgres())),
);
