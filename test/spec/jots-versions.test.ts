// Tests the earlier versions of jots: what is kept, what it takes, and rolling back. reference: Jot versions; decision: 047
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JOT_VERSIONS } from '../../src/jots/model/limits.ts';
import { blobKeys, done, downloadAll, publish, run, tarball, upload } from '../support/jots.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const DAY = 24 * 3_600;
const FILE = 4_096;
let app: TestApp;
let ana: TestUser;
let bea: TestUser;

async function open(env: Record<string, string> = {}): Promise<void> {
  app = await createTestApp({ env });
  ana = await app.user('ana@example.com');
  bea = await app.user('bea@example.com');
}
beforeEach(() => open());
afterEach(() => app.close());

async function ask(path: string, body?: object, who = ana) {
  const headers = { ...who.sessionHeader, 'content-type': 'application/json' };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await app.request(`/api/jots/${path}`, init);
  return { status: response.status, body: await response.json() };
}

interface Shown {
  version: number;
  current: boolean;
}
/** Asks with the key, because some tests outlive a session. */
async function versionsOf(name: string): Promise<[number, boolean][]> {
  const response = await app.request(`/api/jots/${name}`, { headers: ana.keyHeader });
  return (await response.json()).versions.map(({ version, current }: Shown) => [version, current]);
}
const rollBack = (name: string, version: number, current: number, who = ana) =>
  ask(`${name}/rollback`, { version, current }, who);
const read = async (path: string) => (await app.request(`/j/${path}`)).text();

/** What the blobs of a jot take, without those that wait for the sweep. */
async function weighBlobs(): Promise<number> {
  app.clock.advance(2 * DAY);
  await app.deps.jots.sweep();
  let weight = 0;
  for (const key of await blobKeys(app)) weight += FILE + ((await app.deps.blobs.get(key))?.size ?? 0);
  return weight;
}

/** What the row of a jot says that its blobs take, without the live manifest. */
async function weighRow(name: string): Promise<number> {
  const jot = await app.deps.store.jots.get(name);
  if (jot === null) throw new Error(`there is no jot ${name}`);
  return jot.bytes + jot.files * FILE + jot.held_bytes;
}

describe('The versions of a jot', () => {
  it('say when each was published, by whom, and how large it is', async () => {
    await publish(app, ana, 'page', { 'a.txt': 'a' });
    app.clock.advance(60);
    const { body: offer } = await ask('page/upload', {});
    expect((await upload(app, offer, tarball({ 'index.html': 'from the portal' }))).status).toBe(200);
    expect((await ask('page')).body).toMatchObject({
      name: 'page',
      files: 1,
      views: { total: 0, recent: 0 },
      thumbnail: null,
      content: [{ path: 'index.html', bytes: 15, type: 'text/html; charset=utf-8' }],
      versions: [
        {
          version: 2,
          current: true,
          publishedAt: app.clock.now(),
          files: 1,
          bytes: 15,
          by: { kind: 'session', name: null },
        },
        {
          version: 1,
          current: false,
          publishedAt: app.clock.now() - 60,
          files: 2,
          bytes: 52,
          by: { kind: 'key', name: null },
        },
      ],
    });
  });

  it('name the agent that published, also by an upload', async () => {
    const { agentKeys } = app.deps;
    const made = await agentKeys.mint(ana.id, { name: 'build \u202Ebot', limits: {}, expiresAt: null });
    const agent = { keyHeader: { 'x-service-api-key': made?.key ?? '' } };
    await publish(app, agent, 'built');
    const order = await done(app, agent, 'update_jot', { name: 'built' });
    await upload(app, order, tarball({ 'more.txt': 'more' }));
    const by = { kind: 'agent-key', name: 'build  bot' };
    expect((await ask('built')).body.versions).toMatchObject([{ by }, { by }]);
  });

  it('are not made by a change of settings, nor by a deploy of the same files', async () => {
    await publish(app, ana, 'page', { 'a.txt': 'a' });
    await publish(app, ana, 'page', { 'a.txt': 'a' });
    await done(app, ana, 'update_jot', { name: 'page', cors: false });
    expect(await versionsOf('page')).toEqual([[1, true]]);
  });

  it(`are ${JOT_VERSIONS} at most: the one that was current longest ago goes first`, async () => {
    for (let n = 1; n <= JOT_VERSIONS; n++) await publish(app, ana, 'page', { 'a.txt': `${n}` });
    expect((await rollBack('page', 1, JOT_VERSIONS)).status).toBe(200);
    await publish(app, ana, 'page', { 'a.txt': 'eleven' });
    const numbers = (await versionsOf('page')).map(([number]) => number);
    expect(numbers).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 1]);
    expect(await rollBack('page', 2, 11)).toEqual({
      status: 404,
      body: { error: 'VERSION_GONE', message: 'Version 2 of "page" is not kept any more' },
    });
  });

  it('count a file that several of them share once, and the blobs go with the last of them', async () => {
    for (let n = 1; n <= JOT_VERSIONS + 2; n++) {
      await publish(app, ana, 'page', { 'a.txt': `${n}`, 'shared.txt': 's'.repeat(9_000) });
      const { manifest = '' } = (await app.deps.store.jots.get('page')) ?? {};
      const live = FILE + ((await app.deps.blobs.get(manifest))?.size ?? 0);
      expect(await weighRow('page')).toBe((await weighBlobs()) - live);
    }
    await publish(app, ana, 'page');
    for (let n = 0; n < JOT_VERSIONS; n++) await publish(app, ana, 'page', { 'a.txt': `again ${n}` });
    await weighBlobs();
    const sizes = await Promise.all(
      (await blobKeys(app)).map(async (key) => (await app.deps.blobs.get(key))?.size),
    );
    expect(sizes).not.toContain(9_000);
    await done(app, ana, 'delete_jot', { name: 'page' });
    expect(await weighBlobs()).toBe(0);
  });

  it('stay within a quarter of what the person may have, and never keep a jot from being published', async () => {
    await app.close();
    await open({ PERSON_MAX_JOT_BYTES: '200000' });
    for (let n = 0; n < 6; n++) {
      await publish(app, ana, 'page', { 'a.txt': String(n).repeat(15_000) });
      const jot = await app.deps.store.jots.get('page');
      expect(jot?.held_bytes).toBeLessThanOrEqual(50_000);
      await weighBlobs();
      await app.deps.store.sweep(app.clock.now());
    }
    expect(await versionsOf('page')).toEqual([
      [6, true],
      [5, false],
      [4, false],
    ]);
    await publish(app, ana, 'full', { 'a.txt': 'f'.repeat(100_000) });
    await publish(app, ana, 'page', { 'a.txt': 'x'.repeat(3_000) });
    expect((await versionsOf('page')).length).toBeLessThan(3);
  });
});

describe('A roll-back', () => {
  it('makes the files of an earlier version live, keeps the settings, and can itself be undone', async () => {
    await publish(app, ana, 'page', { 'old.txt': 'old' });
    await publish(app, ana, 'page', { 'index.html': 'new' });
    await done(app, ana, 'update_jot', { name: 'page', access: 'password', password: 'p' });
    const rolled = await rollBack('page', 1, 2);
    expect(rolled).toMatchObject({ status: 200, body: { name: 'page', files: 2, access: 'password' } });
    expect((await app.request('/j/page/')).status).toBe(401);
    await done(app, ana, 'update_jot', { name: 'page', access: 'public' });
    expect(Object.keys(await downloadAll(app, ana, 'page'))).toEqual(['index.html', 'old.txt']);
    // The page has several files again, so it needs cors to render.
    expect((await app.request('/j/page/')).headers.get('access-control-allow-origin')).toBe('*');
    expect((await rollBack('page', 2, 1)).status).toBe(200);
    expect(await read('page/')).toBe('new');
    expect(await versionsOf('page')).toEqual([
      [2, true],
      [1, false],
    ]);
    await publish(app, ana, 'page', { 'index.html': 'newest' });
    expect((await versionsOf('page'))[0]).toEqual([3, true]);
  });

  it('is refused when another version is current by now, and does nothing when it is done already', async () => {
    for (const text of ['one', 'two', 'three']) await publish(app, ana, 'page', { 'index.html': text });
    expect(await rollBack('page', 1, 2)).toEqual({
      status: 409,
      body: {
        error: 'JOT_CHANGED',
        message: 'Version 3 of "page" is current by now. Look again before you roll back',
      },
    });
    expect(await read('page/')).toBe('three');
    expect((await rollBack('page', 3, 2)).status).toBe(200);
    expect((await rollBack('page', 9, 3)).status).toBe(404);
    expect((await ask('page/rollback', { version: 1 })).status).toBe(400);
  });

  it('is for the owner alone, and so are the page, the picture and a new version', async () => {
    for (const text of ['one', 'two']) await publish(app, ana, 'page', { 'index.html': text });
    expect((await rollBack('page', 1, 2, bea)).status).toBe(404);
    for (const path of ['page', 'page/thumbnail']) expect((await ask(path, undefined, bea)).status).toBe(404);
    expect(await ask('page/upload', {}, bea)).toMatchObject({
      status: 409,
      body: { error: 'JOT_NAME_TAKEN' },
    });
    expect(await ask('Not a name/upload', {}, bea)).toMatchObject({ status: 400 });
    expect(await read('page/')).toBe('two');
  });

  it('is refused when a file of the version is gone', async () => {
    await publish(app, ana, 'page', { 'a.txt': 'one' });
    const first = await blobKeys(app);
    await publish(app, ana, 'page', { 'a.txt': 'two' });
    await app.deps.blobs.delete(first.find((key) => key.endsWith('/1')) ?? '');
    expect(await rollBack('page', 1, 2)).toMatchObject({ status: 404, body: { error: 'VERSION_GONE' } });
    expect(await downloadAll(app, ana, 'page')).toMatchObject({ 'a.txt': 'two' });
  });

  it('has exactly one winner among deploys and roll-backs at once, and loses no deploy', async () => {
    for (const text of ['one', 'two', 'three']) await publish(app, ana, 'page', { 'index.html': text });
    for (let round = 0; round < 5; round++) {
      const versions = await versionsOf('page');
      const current = versions.find(([, isCurrent]) => isCurrent)?.[0] ?? 0;
      const others = versions.filter(([, isCurrent]) => !isCurrent).map(([number]) => number);
      const rolling = others.slice(0, 4).map((number) => rollBack('page', number, current));
      const deploying = run(app, ana, 'deploy_jot', {
        name: 'page',
        files: [{ path: 'index.html', content: `round ${round}` }],
      });
      const statuses = (await Promise.all(rolling)).map(({ status }) => status);
      expect(await deploying).toHaveProperty('result');
      expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
      expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
      expect(await read('page/')).toBe(`round ${round}`);
      const after = await versionsOf('page');
      expect(after.filter(([, isCurrent]) => isCurrent)).toEqual([[4 + round, true]]);
      expect(new Set(after.map(([number]) => number)).size).toBe(after.length);
    }
    const { manifest = '' } = (await app.deps.store.jots.get('page')) ?? {};
    const live = FILE + ((await app.deps.blobs.get(manifest))?.size ?? 0);
    expect(await weighRow('page')).toBe((await weighBlobs()) - live);
  });
});

describe('A jot from before versions were kept', () => {
  it('shows one version, which a deploy makes an earlier one', async () => {
    await publish(app, ana, 'page', { 'a.txt': 'a' });
    const jot = await app.deps.store.jots.get('page');
    if (jot === null) throw new Error('the jot was not stored');
    const blob = await app.deps.blobs.get(jot.manifest);
    const { version, files, retired } = JSON.parse(await new Response(blob?.body).text());
    const key = `${jot.manifest}0`;
    await app.deps.blobs.put(key, new TextEncoder().encode(JSON.stringify({ version, files, retired })));
    await app.deps.store.jots.put({ ...jot, manifest: key, version: 'old' }, jot.version);
    expect((await ask('page')).body.versions).toMatchObject([{ version: 1, current: true, by: null }]);
    await publish(app, ana, 'page', { 'index.html': 'new' });
    expect(await versionsOf('page')).toEqual([
      [2, true],
      [1, false],
    ]);
    expect((await rollBack('page', 1, 2)).status).toBe(200);
    expect(await read('page/a.txt')).toBe('a');
  });
});
