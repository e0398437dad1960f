// Tests Jira and Confluence through the whole engine: connect, call, refresh, call; sites; texts and files in
// both directions.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeAtlassian, startAtlassian } from '../support/fake-atlassian.ts';
import { downloadFile, fileIn } from '../support/files.ts';
import { call, callText } from '../support/mcp.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let atlassian: FakeAtlassian;
let app: TestApp;
let ana: Person;

beforeEach(async () => {
  atlassian = await startAtlassian();
  const client = (name: string) => ({ [`${name}_CLIENT_ID`]: 'id', [`${name}_CLIENT_SECRET`]: 'secret' });
  app = await createTestApp({
    env: {
      ...client('JIRA'),
      ...client('CONFLUENCE'),
      UPSTREAM_MAP: `https://auth.atlassian.com=${atlassian.url},https://api.atlassian.com=${atlassian.url}`,
    },
  });
  ana = await createPerson(app);
});
afterEach(async () => {
  await app.close();
  await atlassian.close();
});

/** Starts the sign-in at Atlassian. */
async function start(name: string, query = ''): Promise<URL> {
  const { body } = await ana.get(`/api/auth/${name}${query}`);
  return new URL((body as { url: string }).url);
}

/** Returns from Atlassian with the code. */
async function comeBack(name: string, there: URL): Promise<{ status: number; text: string }> {
  const query = new URLSearchParams({
    code: atlassian.consent(),
    state: there.searchParams.get('state') ?? '',
  });
  const response = await app.request(`/api/auth/plugin/${name}/callback?${query}`);
  return { status: response.status, text: await response.text() };
}

async function connect(name: string, query = ''): Promise<URL> {
  const there = await start(name, query);
  expect((await comeBack(name, there)).status).toBe(302);
  return there;
}

describe.each([
  [
    'jira',
    '/ex/jira/cloud-a/rest/api/3/myself',
    'read:jira-work write:jira-work read:jira-user offline_access',
  ],
  [
    'confluence',
    '/ex/confluence/cloud-w/wiki/rest/api/user/current',
    expect.stringContaining('write:page:confluence'),
  ],
])('%s', (name, whoami, scope) => {
  it('connects, calls, refreshes the token and calls again', async () => {
    const there = await connect(name);
    expect(`${there.origin}${there.pathname}`).toBe('https://auth.atlassian.com/authorize');
    expect(Object.fromEntries(there.searchParams)).toMatchObject({
      audience: 'api.atlassian.com',
      prompt: 'consent',
      scope,
      code_challenge_method: 'S256',
      redirect_uri: `http://localhost:3000/api/auth/plugin/${name}/callback`,
    });
    expect(await ana.run(`${name}_whoami`)).toMatchObject({ displayName: 'Ana' });

    // Refreshes twice, because each refresh token works only once.
    for (let turn = 0; turn < 2; turn++) {
      app.clock.advance(3600);
      expect(await ana.run(`${name}_whoami`)).toMatchObject({ displayName: 'Ana' });
    }
    expect(atlassian.tokenRequests).toMatchObject([
      { grant_type: 'authorization_code', client_id: 'id', client_secret: 'secret' },
      { grant_type: 'refresh_token', client_secret: 'secret' },
      { grant_type: 'refresh_token', client_secret: 'secret' },
    ]);
    // The first call is the check of the new connection.
    expect(atlassian.calls.map(({ path }) => path)).toEqual([whoami, whoami, whoami, whoami]);
  });

  it('refreshes the token once for concurrent calls', async () => {
    await connect(name);
    app.clock.advance(3600);
    const executions = Array.from({ length: 8 }, () => ({ tool: `${name}_whoami`, args: {} }));
    const results = await ana.runAll(executions);
    expect(results).toEqual(results.map(() => ({ result: expect.objectContaining({ displayName: 'Ana' }) })));
    expect(atlassian.tokenRequests).toHaveLength(2);
  });

  it('does not connect when no site of the grant has the product', async () => {
    atlassian.sites = [{ id: 'cloud-x', name: 'x', url: 'https://x.atlassian.net', scopes: ['read:me'] }];
    const { status, text } = await comeBack(name, await start(name));
    expect([status, text]).toEqual([400, expect.stringContaining('is not part of the granted access')]);
    await expect(ana.run(`${name}_whoami`)).rejects.toThrow(/NOT_CONNECTED/);
  });
});

describe('the choice of a site', () => {
  it('uses the site that the person names, and no other', async () => {
    await connect('jira', `?instanceUrl=${atlassian.url}`);
    await ana.run('jira_whoami');
    expect(atlassian.calls[0]?.path).toBe('/ex/jira/cloud-b/rest/api/3/myself');
    atlassian.sites = atlassian.sites.filter(({ id }) => id !== 'cloud-b');
    const there = await start('jira', `?instanceUrl=${atlassian.url}`);
    expect((await comeBack('jira', there)).text).toContain(`${atlassian.url} is not part of`);
  });
});

describe('a Jira issue', () => {
  it('keeps its text, and its files byte by byte', async () => {
    await connect('jira');
    const text = {
      projectKey: 'WEB',
      issueType: 'Task',
      summary: 'Größe prüfen',
      description: 'Die **Größe** 🙂',
    };
    expect(await ana.run('jira_create_issue', text)).toMatchObject({ key: 'WEB-1' });
    const bytes = Buffer.from(Array.from({ length: 30_000 }, (_, index) => index % 256));
    const files = { 'größe.bin': bytes, 'notiz.txt': Buffer.from('Grüße\n') };
    for (const [filename, content] of Object.entries(files))
      await ana.run('jira_add_attachment', {
        issueIdOrKey: 'WEB-1',
        filename,
        contentBase64: content.toString('base64'),
      });

    const { fields } = (await ana.run('jira_get_issue', { issueIdOrKey: 'WEB-1' })) as {
      fields: { summary: string; description: object; attachment: { id: string; filename: string }[] };
    };
    expect(fields).toMatchObject({
      summary: 'Größe prüfen',
      description: {
        type: 'doc',
        version: 1,
        content: [
          {
            type: 'paragraph',
            content: [
              { type: 'text', text: 'Die ' },
              { type: 'text', text: 'Größe', marks: [{ type: 'strong' }] },
              { type: 'text', text: ' 🙂' },
            ],
          },
        ],
      },
    });
    const [binary, note] = fields.attachment;
    expect(fields.attachment.map(({ filename }) => filename)).toEqual(Object.keys(files));
    const read = await ana.run('jira_get_attachment', { id: binary?.id });
    expect((await downloadFile(app, read)).equals(bytes)).toBe(true);
    const handedOn = { filename: 'kopie.bin', file: `file:${fileIn(read).handle}` };
    await ana.run('jira_add_attachment', { issueIdOrKey: 'WEB-1', ...handedOn });
    const copy = atlassian.issues.get('WEB-1')?.files.values().toArray().at(-1);
    expect(bytes.equals(new Uint8Array((await copy?.arrayBuffer()) ?? new ArrayBuffer()))).toBe(true);
    expect(await ana.run('jira_get_attachment', { id: note?.id })).toMatchObject({ content: 'Grüße\n' });
  });

  it('shows a picture as an image block', async () => {
    await connect('jira');
    const data =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
    const picture = new File([Buffer.from(data, 'base64')], 'p.png', { type: 'image/png' });
    atlassian.issues.set('WEB-9', { key: 'WEB-9', fields: {}, files: new Map([['77', picture]]) });
    expect(await ana.show('jira_get_attachment', { id: '77' })).toEqual([
      { type: 'image', data, mimeType: 'image/png' },
    ]);
  });

  it("passes on Jira's own message for a refused request", async () => {
    await connect('jira');
    const wrong = { projectKey: 'WEB', issueType: 'Task', summary: 's', fields: { description: 5 } };
    await expect(ana.run('jira_create_issue', wrong)).rejects.toThrow(/must be an Atlassian Document/);
    await expect(ana.run('jira_get_attachment', { id: 'none' })).rejects.toThrow(/attachment does not exist/);
  });
});

describe('a Confluence page', () => {
  it('keeps umlauts in both directions, and keeps what others wrote in between', async () => {
    await connect('confluence');
    const markdown = '## Grüße & Küsse\n\nStraße, größer als 5 €';
    const { id } = (await ana.run('confluence_create_page', {
      spaceId: '1',
      title: 'Übersicht',
      body: markdown,
    })) as {
      id: string;
    };
    const page = await ana.run('confluence_get_page', { id });
    expect(page).toMatchObject({ title: 'Übersicht', version: { number: 1 }, body: { markdown } });

    const change = { id, title: 'Übersicht', body: '<p>F&uuml;r alle</p>' };
    await ana.run('confluence_update_page', { ...change, message: 'kürzer' });
    expect(await ana.run('confluence_get_page', { id })).toMatchObject({
      version: { number: 2 },
      body: { markdown: 'Für alle' },
    });
    await expect(ana.run('confluence_update_page', { ...change, version: 1 })).rejects.toThrow(
      /Version must be/,
    );
    await ana.run('confluence_delete_page', { id });
    await expect(ana.run('confluence_get_page', { id })).rejects.toThrow(/Not Found/);
  });
});

describe('a response of 5 MB', () => {
  it('is truncated, and can be read completely by its handle', async () => {
    await connect('confluence');
    const executions = [{ tool: 'confluence_search', args: { cql: 'type = page' } }];
    const text = await callText(app, ana.keyHeader, 'execute_tools', { executions });
    const [, total, handle] =
      /(\d+) characters in total.*read_result \{"handle":"([^"]+)"\}/.exec(text) ?? [];
    expect(Number(total)).toBeGreaterThan(5_000_000);
    expect(text.length).toBeLessThan(61_000);

    const read = (args: object) => call(app, ana.keyHeader, 'read_result', { handle, ...args });
    const path = '/results/0/result/results';
    const item = (at: number) => ({ at, excerpt: 'größe '.repeat(170) });
    const first = await read({ path });
    expect(first).toMatchObject({ total: 5_000, nextOffset: first.value.length });
    expect(first.value).toEqual(Array.from(first.value, (_, at) => item(at)));
    const last = await read({ path, offset: 4_990 });
    expect(last.value).toEqual(Array.from({ length: 10 }, (_, at) => item(4_990 + at)));
    expect(last).not.toHaveProperty('nextOffset');
    expect(await read({ path: `${path}/4999/at` })).toEqual({ value: 4999 });
  });
});
