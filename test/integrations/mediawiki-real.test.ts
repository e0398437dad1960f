// Tests a real MediaWiki: connected with the cookies of a sign-in, and used.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createPerson, type Person } from '../support/person.ts';
import { describeWithMediawiki, startMediawiki, type Wiki } from '../support/real-mediawiki.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const TITLE = 'Projekte/Größe & Maß – 大小?';
// One red pixel.
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

describeWithMediawiki('a real MediaWiki', () => {
  let wiki: Wiki;
  let app: TestApp;
  let ana: Person;
  let session: Awaited<ReturnType<Wiki['signIn']>>;

  const importSession = (cookies: readonly object[], instanceUrl = wiki.url, more: object = {}) =>
    ana.post('/api/integrations/mediawiki/session/import', { session: cookies, instanceUrl, ...more });
  const kept = async () => {
    const { body } = await ana.get('/api/integrations/mediawiki/session/export');
    return (body as { session: { cookies: { name: string; value: string }[] } }).session.cookies;
  };

  beforeAll(async () => {
    wiki = await startMediawiki();
    // The wiki dates its cookies by the real clock.
    app = await createTestApp({ ports: { clock: createSystemClock() } });
    ana = await createPerson(app);
    session = await wiki.signIn();
    expect(await importSession(session)).toEqual({
      status: 200,
      body: { success: true, cookieCount: session.length },
    });
  });

  afterAll(async () => {
    await app?.close();
    await wiki?.stop();
  });

  it('knows whose session it is', async () => {
    expect(await ana.run('mediawiki_whoami')).toMatchObject({ id: 1, name: 'Admin' });
  });

  it('keeps the cookies that the wiki sets on the way, and edits with them', async () => {
    const remembered = session.filter(({ expires }) => expires !== null);
    expect(remembered).toHaveLength(session.length - 1);
    await importSession(remembered);
    await ana.run('mediawiki_append_page', { title: 'Kept', appendText: 'x' });
    const begun = (await kept()).find(({ name }) => name.endsWith('_session'));
    expect(begun).toMatchObject({ value: expect.stringMatching(/^\w{32}$/) });
    await ana.run('mediawiki_append_page', { title: 'Kept', appendText: 'y' });
    expect((await kept()).filter(({ name }) => name.endsWith('_session'))).toEqual([begun]);
    await importSession(session);
  });

  it('writes and reads a page whose title has slashes, signs and other scripts', async () => {
    const text = "== Über ==\n'''x''' & <b>y</b> + 100 % [[Category:Maße]]\n\n== Zwei ==\nEnde";
    const edited = await ana.run('mediawiki_edit_page', { title: TITLE, text, summary: 'Anlage „ü“' });
    expect(edited).toMatchObject({ result: 'Success', title: TITLE, newrevid: expect.any(Number) });
    expect(await ana.run('mediawiki_get_page', { title: TITLE })).toMatchObject({
      title: TITLE,
      source: text,
      latest: { id: (edited as { newrevid: number }).newrevid },
    });
    const { html } = (await ana.run('mediawiki_get_page_html', { title: TITLE })) as { html: string };
    expect(html).toMatch(/^<!DOCTYPE html>[^]*<b[^>]*>y<\/b>/);
    expect(html).toContain('Über');
  });

  it('appends, changes one section, and returns the history in pages', async () => {
    await ana.run('mediawiki_append_page', { title: TITLE, appendText: '\n\nnoch mehr', summary: 'mehr' });
    await ana.run('mediawiki_edit_page', { title: TITLE, text: '== Zwei ==\nneu', section: '2' });
    const { source } = (await ana.run('mediawiki_get_page', { title: TITLE })) as { source: string };
    expect(source).toMatch(/^== Über ==[^]*== Zwei ==\nneu$/);
    const history = (await ana.run('mediawiki_list_history', { title: TITLE })) as {
      revisions: { id: number; comment: string }[];
    };
    expect(history.revisions.map(({ comment }) => comment)).toEqual(['', 'mehr', 'Anlage „ü“']);
    const olderThan = String(history.revisions[1]?.id);
    expect(await ana.run('mediawiki_list_history', { title: TITLE, olderThan })).toMatchObject({
      revisions: [{ comment: 'Anlage „ü“' }],
    });
  });

  it('does not overwrite a newer version', async () => {
    const edit = (text: string, baseRevId?: string) =>
      ana.run('mediawiki_edit_page', { title: 'Conflict', text, ...(baseRevId && { baseRevId }) });
    const { newrevid } = (await edit('one')) as { newrevid: number };
    await edit('two', String(newrevid));
    await expect(edit('three', String(newrevid))).rejects.toThrow(/editconflict/);
    expect(await ana.run('mediawiki_get_page', { title: 'Conflict' })).toMatchObject({ source: 'two' });
  });

  it('finds pages, their changes and categories', async () => {
    expect(await ana.run('mediawiki_search', { query: 'neu', limit: 3 })).toMatchObject({
      search: [{ title: TITLE }],
    });
    const changes = await ana.run('mediawiki_list_recent_changes', { limit: 2, namespace: '0' });
    expect(changes).toMatchObject({
      recentchanges: [{ title: 'Conflict', user: 'Admin' }, { title: 'Conflict' }],
    });
    expect(await ana.run('mediawiki_list_categories', { prefix: 'Ma' })).toEqual({
      allcategories: [{ category: 'Maße' }],
    });
  });

  it('makes several edits at once', async () => {
    const titles = ['Eins', 'Zwei', 'Drei', 'Vier'];
    const edits = titles.map((title) => ({ tool: 'mediawiki_edit_page', args: { title, text: title } }));
    expect(await ana.runAll(edits)).toMatchObject(
      titles.map((title) => ({ result: { result: 'Success', title } })),
    );
  });

  it('uploads a file byte by byte, and refuses it a second time', async () => {
    const args = { filename: 'Größe.png', contentBase64: PIXEL, comment: 'ein Punkt' };
    const sha1 = createHash('sha1').update(Buffer.from(PIXEL, 'base64')).digest('hex');
    expect(await ana.run('mediawiki_upload_file', args)).toMatchObject({
      result: 'Success',
      filename: 'Größe.png',
      imageinfo: { mime: 'image/png', sha1, comment: 'ein Punkt' },
    });
    await expect(ana.run('mediawiki_upload_file', args)).rejects.toThrow(/did not upload: .*Warning/);
  });

  it("passes on the wiki's own message for a missing page", async () => {
    await expect(ana.run('mediawiki_get_page', { title: 'Nie' })).rejects.toThrow(
      /404: .*The specified title \(Nie\) does not exist/,
    );
    await expect(ana.run('mediawiki_edit_page', { title: 'a|b[c]', text: 'x' })).rejects.toThrow(
      /invalidtitle/,
    );
  });

  it('edits nothing anonymously when the session has ended', async () => {
    const ended = session.map((cookie) => ({ ...cookie, value: 'x'.repeat(32) }));
    expect(await importSession(ended)).toMatchObject({ status: 400 });
    // The wiki forgets the session while the gateway keeps it.
    const user = await app.deps.store.users.byEmail('ana@example.com');
    const row = user && (await app.deps.store.connections.get(user.id, 'mediawiki', ''));
    const bundle = JSON.parse((row && (await app.deps.vault.open(row, 'cookies'))) ?? '');
    for (const cookie of bundle.cookies) cookie.value = 'x'.repeat(32);
    const config = { instanceUrl: wiki.url };
    await app.deps.vault.save(user?.id ?? '', 'mediawiki', { cookies: JSON.stringify(bundle), config });
    expect(await ana.run('mediawiki_whoami')).toMatchObject({ id: 0 });
    const edit = { title: 'Anonymous', text: 'x' };
    await expect(ana.run('mediawiki_edit_page', edit)).rejects.toThrow(/assertuserfailed/);
    await expect(ana.run('mediawiki_get_page', { title: 'Anonymous' })).rejects.toThrow(/404/);
    await importSession(session);
  });

  it('says that an address does not belong to a wiki', async () => {
    const elsewhere = wiki.url.replace(/\/w$/, '');
    // Nothing there says whose session it is, so it takes the place of no account that is known.
    expect(await importSession(session, elsewhere)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('"Admin" to renew') },
    });
    expect(await importSession(session, elsewhere, { account: 'Admin' })).toMatchObject({ status: 200 });
    await expect(ana.run('mediawiki_whoami')).rejects.toThrow(/404|api\.php/);
    await importSession(session);
  });
});
