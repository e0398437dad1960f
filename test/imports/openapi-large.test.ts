// Imports GitHub's whole description through the API, as a document, and uses a part of it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/describe-with.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { findReal, REAL, readReal } from '../support/openapi-corpus.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const path = REAL.filter(({ name }) => name === 'GitHub').map(findReal)[0] ?? null;
const missing = path === null ? '@octokit/openapi is not installed; npm run corpus' : undefined;

describeWith('the whole description of GitHub', missing, () => {
  const asked: { method: string | undefined; url: string | undefined; token: string | undefined }[] = [];
  let app: TestApp;
  let ana: ImportUser;
  let ben: ImportUser;
  let github: HttpServer;
  let form: { document: string; base: string };

  beforeAll(async () => {
    github = await startHttpServer(({ method, url, headers }, response) => {
      asked.push({ method, url, token: headers.authorization });
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"number":7,"state":"open"}');
    });
    app = await createTestApp();
    ana = createImportUser(app, await app.user('owner@localhost'));
    ben = createImportUser(app, await app.user('ben@example.com'));
    form = { document: readReal(path ?? ''), base: `http://127.0.0.1:${github.port}` };
  });
  afterAll(async () => {
    await app.close();
    await github.close();
  });

  it('shows its tags before anything is chosen, the largest first', async () => {
    const preview = await ana.preview(form);
    expect(preview.tags.length).toBeGreaterThan(30);
    expect(preview.tags[0]).toEqual({ name: 'repos', tools: expect.any(Number) });
    const counts = preview.tags.map(({ tools }: { tools: number }) => tools);
    expect(counts).toEqual(counts.toSorted((one: number, other: number) => other - one));
    expect(preview.tools.length).toBeGreaterThan(1_000);
    expect(preview.tools.some(({ ready }: { ready: boolean }) => !ready)).toBe(true);
  });

  it('becomes the tools of one tag, while another person is answered', async () => {
    let isAdded = false;
    let answered = 0;
    const others = async () => {
      while (!isAdded) {
        expect((await ben.send('GET', '/api/imports')).status).toBe(200);
        answered += 1;
        // In one process, an answer may come without a turn of the event loop.
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const auth = { type: 'headers', headers: { Authorization: 'Bearer {token}' } };
    const adding = ana.add({ ...form, auth, include: ['issues'] }).finally(() => (isAdded = true));
    const [entry] = await Promise.all([adding, others()]);
    expect(answered).toBeGreaterThan(20);
    const included = entry.tools.filter((tool: { included: boolean }) => tool.included);
    expect(included.length).toBeGreaterThan(50);
    for (const { tags } of included) expect(tags).toContain('issues');

    const found = await ana.search('acme create an issue');
    expect(found[0]).toBe('acme_issues_create');
    expect(await ana.search('acme_pulls')).not.toContain('acme_pulls_create');
    expect(await ana.run('acme_pulls_list', { owner: 'a', repo: 'b' })).toMatchObject({
      error: 'Tool not found',
    });
  });

  it('creates an issue with the credential of the person', async () => {
    await ana.connect({ token: 'token-of-ana' });
    const args = { owner: 'ana', repo: 'a b', title: 'It works', labels: ['good'] };
    expect(await ana.run('acme_issues_create', args)).toEqual({ result: { number: 7, state: 'open' } });
    expect(asked.at(-1)).toEqual({
      method: 'POST',
      url: '/repos/ana/a%20b/issues',
      token: 'Bearer token-of-ana',
    });
  });

  it('offers more of its tools later, without the document', async () => {
    await ana.change({ include: ['issues', '/repos/{owner}/{repo}/pulls'] });
    await ana.run('acme_pulls_list', { owner: 'a', repo: 'b', state: 'closed' });
    expect(asked.at(-1)?.url).toBe('/repos/a/b/pulls?state=closed');
  });
});
