// Tests that a product which leaves takes all its actors along: in small steps, that a process may die between, and of which
// a broken one keeps none of the others back. reference: Service keys; decision: 075
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERASED_ACTORS } from '../../src/people/limits.ts';
import { connection, entry } from '../contracts/store/records.ts';
import { type ActorStand, openActorStand, runTool, type Tenant } from '../support/actors.ts';

let stand: ActorStand;
let acme: Tenant;
let blue: Tenant;

beforeEach(async () => {
  stand = await openActorStand();
  const integrations = ['vaulted', 'keyed', 'time', 'files'];
  acme = await stand.tenant({ integrations });
  blue = await stand.tenant({ name: 'Blue', integrations });
  await blue.actor('ann');
});
afterEach(() => stand.close());

/** Makes actors with a connection, a file and a call. */
async function fill(count: number): Promise<string[]> {
  const { audit, files, store } = stand.app.deps;
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const id = `id-${at}`;
    ids.push(id);
    const made = { service_key_id: acme.id, external_id: `u-${at}`, external_name: null, created_at: 1 };
    await store.serviceActors.add({ id, ...made });
    await store.connections.put(connection({ user_id: id, integration: 'keyed' }));
  }
  await store.audit.append(ids.map((user_id) => entry({ user_id, error: `of ${user_id}` })));
  await files.save(ids[0] ?? '', oneChunk(), { name: 'a.txt', mimeTypes: ['text/plain'] });
  await audit.flush();
  return ids;
}

async function* oneChunk(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode('text');
}

const erase = () => stand.admin('DELETE', `/api/service-keys/${acme.id}?erase=true`);
const erasing = async (): Promise<number> => (await stand.admin('GET', '/api/service-keys')).body.erasing;
const round = () => stand.app.deps.erasures.goOn();

describe('a product that leaves', () => {
  it('takes everything of its actors along, and nothing of others', async () => {
    const ids = await fill(2 * ERASED_ACTORS + 1);
    await stand.connect(blue, 'ann');
    expect((await erase()).status).toBe(200);
    expect((await acme.api('GET', '/api/actors/u-1')).status).toBe(401);
    expect((await runTool(stand, blue.for('ann'), 'time_now')).result).toBeDefined();
    expect(await erasing()).toBe(ids.length);
    // Each process has so long to end what it holds.
    await round();
    expect(await erasing()).toBe(ids.length);
    stand.app.clock.advance(200);
    await round();
    expect(await erasing()).toBe(0);
    const { blobs, store } = stand.app.deps;
    for (const id of [acme.id, ...ids]) expect(await store.users.byId(id)).toBeNull();
    expect(await store.connections.ofPeople(ids)).toEqual([]);
    expect(await store.auditSegments.rowsOf(ids, 10)).toEqual([]);
    for await (const key of blobs.list('files/')) expect(key).toBe('no file');
    expect(await stand.row(blue, 'ann')).not.toBeNull();
    const told = stand.app.lines.filter(({ event }) => event === 'actors were erased');
    expect(told).toMatchObject([{ erased: ids.length + 1, left: 0 }]);
  });

  it('ends the grants at the provider, in the name of nobody', async () => {
    await acme.actor('ann');
    await stand.connect(acme, 'ann');
    const { disconnects, store } = stand.app.deps;
    const ann = (await store.serviceActors.get(acme.id, 'ann'))?.id ?? '';
    await store.connections.put({ ...(await own(ann)), account: 'second', label: 'second' });
    await erase();
    stand.app.clock.advance(200);
    await round();
    expect(await store.connections.list(ann)).toEqual([]);
    const pending = await store.revocations.due(stand.app.clock.now(), 10);
    expect(pending.map(({ user_id }) => user_id)).toEqual(
      pending.map(() => expect.stringMatching(/^deleted-[0-9a-f]{16}$/)),
    );
    while (await disconnects.retry());
  });

  async function own(userId: string) {
    const [row] = await stand.app.deps.store.connections.list(userId);
    if (row === undefined) throw new Error('no connection');
    return row;
  }

  it('is erased to the end when a process dies between two steps, also by another one', async () => {
    const ids = await fill(ERASED_ACTORS + 5);
    await erase();
    stand.app.clock.advance(200);
    const { deps } = stand.app;
    const { store } = deps;
    const { erase: eraseRows } = store.people;
    let steps = 0;
    store.people.erase = (...args) => {
      if (steps++ > 0) return Promise.reject(new Error('killed'));
      return eraseRows(...args);
    };
    await round();
    store.people.erase = eraseRows;
    const left = await erasing();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(ids.length);
    await round();
    expect(await erasing()).toBe(0);
    expect(await store.connections.ofPeople(ids)).toEqual([]);
  });

  it('is not kept back by one actor that cannot be erased now', async () => {
    const ids = await fill(12);
    const bad = ids[3] ?? '';
    await erase();
    stand.app.clock.advance(200);
    const { store } = stand.app.deps;
    const { erase: eraseRows } = store.people;
    store.people.erase = (people, pseudonym) =>
      people.includes(bad) ? Promise.reject(new Error('no')) : eraseRows(people, pseudonym);
    await round();
    expect(await erasing()).toBe(1);
    expect(await store.users.byId(bad)).not.toBeNull();
    store.people.erase = eraseRows;
    await round();
    expect(await erasing()).toBe(0);
  });

  it('never waits behind a person, and lets calls of others in between', async () => {
    const ids = await fill(3 * ERASED_ACTORS);
    await erase();
    stand.app.clock.advance(200);
    const going = round();
    let calls = 0;
    while ((await erasing()) > 0) {
      expect((await runTool(stand, blue.for('ann'), 'time_now')).result).toBeDefined();
      calls += 1;
    }
    await going;
    expect(calls).toBeGreaterThan(0);
    expect(await stand.app.deps.store.connections.ofPeople(ids)).toEqual([]);
  });
});
