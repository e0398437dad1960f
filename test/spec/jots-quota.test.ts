// Tests how many jots one person may have, and how large. reference: Limits per person; decision: 047
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asFiles, blobKeys, done, publish, run, tarball, upload } from '../support/jots.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const DAY = 24 * 3_600;
let app: TestApp;
let ana: TestUser;
let bea: TestUser;

async function open(env: Record<string, string>): Promise<void> {
  app = await createTestApp({ env });
  ana = await app.user('ana@example.com');
  bea = await app.user('bea@example.com');
}
afterEach(() => app.close());

const deploy = (name: string, content: string) =>
  run(app, ana, 'deploy_jot', { name, files: asFiles({ 'index.html': content }) });
const QUOTA = { error: expect.stringMatching(/^JOT_QUOTA: /), integration: 'jots' };

describe('the number of jots', () => {
  beforeEach(() => open({ PERSON_MAX_JOTS: '3' }));

  it('is limited for each person, and a jot that exists may still change', async () => {
    for (const name of ['one', 'two', 'three']) await publish(app, ana, name);
    expect(await deploy('four', 'x')).toEqual({
      error: 'JOT_QUOTA: You may have 3 jots. Delete one that you no longer need',
      integration: 'jots',
    });
    expect(await run(app, ana, 'deploy_jot', { name: 'four' })).toEqual(QUOTA);
    expect(await deploy('three', 'again')).toMatchObject({ result: { name: 'three' } });
    expect(await run(app, ana, 'update_jot', { name: 'two', cors: true })).toHaveProperty('result');
    await publish(app, bea, 'four');
    await done(app, ana, 'delete_jot', { name: 'one' });
    expect(await deploy('five', 'x')).toHaveProperty('result');
  });

  it('holds when many are deployed at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => deploy(`at-once-${n}`, `${n}`)));
    expect(answers.filter((answer) => 'result' in answer)).toHaveLength(3);
    expect(answers.filter((answer) => 'error' in answer)).toEqual(Array.from({ length: 7 }, () => QUOTA));
    expect((await done(app, ana, 'list_jots', {})).jots).toHaveLength(3);
  });
});

describe('the bytes of jots', () => {
  beforeEach(() => open({ PERSON_MAX_JOT_BYTES: '100000' }));
  const text = (letter: string) => letter.repeat(40_000);

  it('count with replaced files until the sweep has removed them', async () => {
    expect(await deploy('page', text('a'))).toHaveProperty('result');
    expect(await deploy('page', text('b'))).toHaveProperty('result');
    const { error } = await deploy('page', text('c'));
    expect(error).toMatch(/^JOT_QUOTA: Your jots take 43\.1 KiB of 97\.7 KiB, and deleted or replaced files/);
    expect(await (await app.request('/j/page/')).text()).toBe(text('b'));
    app.clock.advance(2 * DAY);
    await app.deps.jots.sweep();
    await app.deps.store.sweep(app.clock.now());
    expect(await blobKeys(app)).toHaveLength(2);
    expect(await deploy('page', text('c'))).toHaveProperty('result');
  });

  it('count with deleted jots, which keep their bytes for a day', async () => {
    expect(await deploy('one', text('a'))).toHaveProperty('result');
    await done(app, ana, 'delete_jot', { name: 'one' });
    expect(await deploy('two', text('b'))).toHaveProperty('result');
    expect(await deploy('five', text('f'))).toEqual(QUOTA);
    app.clock.advance(2 * DAY);
    expect(await deploy('five', text('f'))).toHaveProperty('result');
  });

  it('never pass the limit, however fast somebody publishes and deletes', async () => {
    let published = 0;
    for (let n = 0; n < 20; n++) {
      if ('result' in (await deploy('again', String(n).repeat(20_000)))) published++;
      await run(app, ana, 'delete_jot', { name: 'again' });
    }
    let stored = 0;
    for (const key of await blobKeys(app)) stored += (await app.deps.blobs.get(key))?.size ?? 0;
    expect(published).toBeGreaterThan(1);
    expect(stored).toBeLessThan(100_000);
  });

  it('refuse an upload with 429, and nothing of it stays', async () => {
    const offered = await done(app, ana, 'deploy_jot', { name: 'uploaded' });
    await deploy('large', text('l'));
    const before = await blobKeys(app);
    const archive = tarball({ 'index.html': text('i'), 'more.txt': text('m'), 'most.txt': text('n') });
    const response = await app.request(new URL(offered.uploadUrl).pathname, {
      method: 'POST',
      body: archive,
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3600']);
    expect(await response.json()).toEqual({
      error: 'JOT_QUOTA',
      message: expect.stringMatching(/^Your jots/),
    });
    expect(await blobKeys(app)).toEqual(before);
    expect(await deploy('small', text('s'))).toHaveProperty('result');
  });

  it('refuse an upload before it begins when there is no room at all', async () => {
    for (const name of ['one', 'two']) await deploy(name, name.repeat(14_000));
    await deploy('rest', 'r'.repeat(3_712));
    const { error } = await run(app, ana, 'deploy_jot', { name: 'three' });
    expect(error).toMatch(/^JOT_QUOTA: /);
  });

  it('hold when several are deployed at once', async () => {
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => deploy(name, text(name))));
    expect(answers.filter((answer) => 'result' in answer)).toHaveLength(2);
  });

  it('do not keep a person from deleting files of a jot', async () => {
    await publish(app, ana, 'both', { 'more.txt': text('m'), 'most.txt': 'n'.repeat(30_000) });
    expect(await deploy('other', text('o'))).toEqual(QUOTA);
    const offered = await done(app, ana, 'update_jot', { name: 'both', delete: ['more.txt'] });
    expect((await upload(app, offered, tarball({}))).status).toBe(200);
  });
});
