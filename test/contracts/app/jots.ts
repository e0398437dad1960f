// Tests publishing and serving jots. reference: Jot tools; Jot uploads; Jot serving; Jot passwords; decision: 048, 049
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { done, gzip, publish, run, tarball, upload } from '../../support/jots.ts';
import { rawHeader } from '../../support/raw-tar.ts';
import type { Subject } from '../app-contract.ts';

export function jotSentences(at: () => Subject): void {
  const owner = () => ({ keyHeader: at().ana.key });

  it('publishes a jot in one call and serves it under its headers', async () => {
    const { gateway } = at();
    const made = await publish(gateway, owner(), 'hello', { 'a/style.css': 'p{}' });
    expect(made).toMatchObject({ url: `${gateway.publicUrl}/j/hello/`, files: 2, access: 'public' });
    const short = await gateway.request('/j/hello');
    expect([short.status, short.headers.get('location')]).toEqual([301, '/j/hello/']);
    const page = await gateway.request('/j/hello/');
    expect(await page.text()).toContain('<h1>Report</h1>');
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-security-policy': 'sandbox allow-scripts allow-forms',
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    const etag = page.headers.get('etag') ?? '';
    expect((await gateway.request('/j/hello/', { headers: { 'if-none-match': etag } })).status).toBe(304);
    const range = await gateway.request('/j/hello/a/style.css', { headers: { range: 'bytes=1-2' } });
    expect([range.status, range.headers.get('content-range'), await range.text()]).toEqual([
      206,
      'bytes 1-2/3',
      '{}',
    ]);
    for (const path of ['/j/hello/.jot.json', '/j/hello/none', '/j/nobody/'])
      expect((await gateway.request(path)).status).toBe(404);
  });

  it('takes an archive at an upload URL that works once', async () => {
    const { gateway } = at();
    const order = await done(gateway, owner(), 'deploy_jot', { name: 'packed' });
    const big = new Uint8Array(300_000).map((_, index) => (index * 7919) >> 3);
    const archive = tarball({ 'index.html': '<p>packed</p>', 'data/big.bin': big });
    expect(await upload(gateway, order, archive)).toMatchObject({ status: 200, body: { files: 2 } });
    const served = await gateway.request('/j/packed/data/big.bin');
    expect(Buffer.from(await served.arrayBuffer()).equals(big)).toBe(true);
    expect((await upload(gateway, order, archive)).status).toBe(404);
    const next = await done(gateway, owner(), 'update_jot', { name: 'packed', delete: ['data'] });
    const bad = await upload(gateway, next, new TextEncoder().encode('no archive'));
    expect(bad).toMatchObject({ status: 400, body: { error: 'BAD_ARCHIVE' } });
  });

  it('reads an upload to its end before it refuses the upload', async () => {
    const { gateway } = at();
    const tooLarge = rawHeader({ name: 'index.html', size: 60 * 1024 * 1024 });
    const archive = gzip(Buffer.concat([tooLarge, randomBytes(20 * 1024 * 1024)]));
    let sent = 0;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const piece = archive.slice(sent, sent + 64 * 1024);
        if (piece.length === 0) return controller.close();
        sent += piece.length;
        controller.enqueue(piece);
      },
    });
    const order = await done(gateway, owner(), 'deploy_jot', { name: 'refused' });
    expect(await upload(gateway, order, body)).toMatchObject({ status: 413, body: { error: 'TOO_LARGE' } });
    expect(sent).toBe(archive.length);
  });

  it('asks for the password of a locked jot and limits wrong attempts', async () => {
    const { gateway } = at();
    await publish(gateway, owner(), 'locked', {}, { access: 'password', password: 'open sesame' });
    const unlock = (password: string) =>
      gateway.request('/j/locked/__auth', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ password }).toString(),
      });
    expect((await gateway.request('/j/locked/')).status).toBe(401);
    const opened = await unlock('open sesame');
    expect([opened.status, opened.headers.get('location')]).toEqual([302, '/j/locked/']);
    const [cookie = ''] = opened.headers.getSetCookie();
    const inside = await gateway.request('/j/locked/', { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(await inside.text()).toContain('<h1>Report</h1>');
    const statuses = [];
    for (let attempt = 0; attempt < 6; attempt++) statuses.push((await unlock('wrong')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('rolls a jot back, and lets one caller win when several change the jot at once', async () => {
    const { gateway, ana } = at();
    const ask = async (path: string, body?: object) => {
      const headers = { ...ana.session, 'content-type': 'application/json' };
      const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await gateway.request(`/api/jots/versions${path}`, init);
      return { status: response.status, body: await response.json() };
    };
    const put = (text: string) =>
      publish(gateway, owner(), 'versions', { 'index.html': text, 'same.txt': 'same' });
    const read = async () => (await gateway.request('/j/versions/')).text();
    const rollBack = (version: number, current: number) => ask('/rollback', { version, current });
    for (const text of ['one', 'two', 'three']) await put(text);
    expect((await ask('')).body.versions).toMatchObject([
      { version: 3, current: true, files: 2, by: { kind: 'key', name: null } },
      { version: 2, current: false },
      { version: 1, current: false },
    ]);
    expect((await rollBack(1, 3)).status).toBe(200);
    expect(await read()).toBe('one');
    expect((await rollBack(3, 1)).status).toBe(200);
    expect(await read()).toBe('three');

    const raced = await Promise.all([rollBack(1, 3), rollBack(2, 3)]);
    expect(new Set(raced.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const winner = raced[0]?.status === 200 ? 1 : 2;
    expect(await read()).toBe(winner === 1 ? 'one' : 'two');
    // A deploy tries again when somebody was faster, so it is never lost.
    const [deployed, ...refused] = await Promise.all([
      put('four'),
      rollBack(3, winner),
      rollBack(3 - winner, winner),
    ]);
    expect(deployed).toMatchObject({ files: 2 });
    expect(refused.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(refused.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
    expect(await read()).toBe('four');
    const { versions } = (await ask('')).body;
    expect(versions.map((one: { version: number; current: boolean }) => [one.version, one.current])).toEqual([
      [4, true],
      [3, false],
      [2, false],
      [1, false],
    ]);
    for (const [version, text] of ['one', 'two', 'three'].entries()) {
      expect((await rollBack(version + 1, version === 0 ? 4 : version)).status).toBe(200);
      expect(await read()).toBe(text);
    }
  });

  it('takes a new version from the portal, and keeps the settings of the jot', async () => {
    const { gateway, ana } = at();
    const offer = async (name: string, body: object) => {
      const headers = { ...ana.session, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await gateway.request(`/api/jots/${name}/upload`, init);
      expect(response.status).toBe(201);
      return response.json();
    };
    const first = await offer('dragged', { access: 'password', password: 'for readers' });
    expect(first).toMatchObject({ maxFiles: 2_000 });
    const packed = tarball({ 'index.html': 'one', 'old.txt': 'old' });
    expect(await upload(gateway, first, packed)).toMatchObject({
      status: 200,
      body: { access: 'password', files: 2 },
    });
    expect(await upload(gateway, await offer('dragged', {}), tarball({ 'index.html': 'two' }))).toMatchObject(
      { status: 200, body: { access: 'password', files: 1 } },
    );
  });

  it('keeps a jot for its owner and stops serving it after its deletion', async () => {
    const { gateway, world } = at();
    const eve = await world.person(gateway, 'eve');
    const taken = await run(gateway, { keyHeader: eve.key }, 'deploy_jot', { name: 'hello', files: [] });
    expect(taken.error).toMatch(/^(JOT_NAME_TAKEN|NO_INDEX)/);
    const { jots } = await done(gateway, owner(), 'list_jots', {});
    expect(jots).toContainEqual(expect.objectContaining({ name: 'hello' }));
    expect(await done(gateway, owner(), 'delete_jot', { name: 'hello' })).toEqual({ deleted: true });
    expect((await gateway.request('/j/hello/')).status).toBe(404);
  });
}
