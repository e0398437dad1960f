// Tests connecting with an API key. reference: API key form
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectStand, openConnectStand } from '../support/connect-stand.ts';
import { startHttpServer } from '../support/http-server.ts';
import { call } from '../support/mcp.ts';

let stand: ConnectStand;

beforeEach(async () => {
  stand = await openConnectStand();
});
afterEach(() => stand.close());

describe('POST /api/auth/apikey/:integration', () => {
  const save = (values: unknown, integration = 'keyed') =>
    stand.api('POST', `/api/auth/apikey/${integration}`, { values });
  const good = { region: 'eu', apiKey: 'k-secret', appKey: 'a-secret', note: 'mine' };

  it('seals secrets, stores other fields in plain text, and serves tools with both', async () => {
    expect(await save(good)).toMatchObject({ status: 200, body: { success: true } });
    expect(await stand.connected('keyed')).toBe(true);
    const row = await stand.app.deps.store.connections.get(stand.ana.id, 'keyed', '');
    expect(JSON.parse(row?.config ?? '')).toEqual({ region: 'eu', note: 'mine' });
    expect(JSON.stringify(row)).not.toMatch(/secret/);
    await call(stand.app, stand.ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'keyed_get', args: { path: '/open' } }],
    });
    expect(stand.provider.calls[0]?.headers).toMatchObject({ 'x-key': 'k-secret', 'x-app': 'a-secret' });
  });

  it('leaves out headers whose field is empty', async () => {
    await save({ region: 'eu', apiKey: 'k-secret' });
    await call(stand.app, stand.ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'keyed_get', args: { path: '/open' } }],
    });
    expect(stand.provider.calls[0]?.headers).not.toHaveProperty('x-app');
  });

  it.each([
    [{}, 'Missing required field: Region'],
    [{ ...good, region: '' }, 'Missing required field: Region'],
    [{ ...good, apiKey: '  ' }, 'Missing required field: API key'],
    [{ ...good, region: 'mars' }, 'Region must be one of: us, eu'],
    [{ ...good, apiKey: 'a\r\nx: y' }, 'API key must not contain line breaks or control characters'],
    [{ ...good, instanceUrl: 'http://127.0.0.1:9' }, 'Keyed has no self-hosted instances'],
    [{ ...good, apiKey: 'schlüssel' }, 'API key must be made of ASCII letters, digits and signs'],
  ])('answers 400 to %j', async (values, error) => {
    expect(await save(values)).toMatchObject({ status: 400, body: { error } });
    expect(await stand.connected('keyed')).toBe(false);
  });

  it.each([[undefined], ['x'], [{ region: 5 }], [[]], [null]])('answers 400 to values %j', async (values) => {
    expect((await save(values)).status).toBe(400);
  });

  it('answers 404 for an integration without API keys', async () => {
    for (const name of ['nope', 'time', 'vaulted', 'jar']) expect((await save(good, name)).status).toBe(404);
  });

  it('clears the fields that the new form leaves out', async () => {
    await save(good);
    await save({ region: 'us', apiKey: 'x' });
    const row = await stand.app.deps.store.connections.get(stand.ana.id, 'keyed', '');
    expect(JSON.parse(row?.config ?? '')).toEqual({ region: 'us' });
  });

  const placeOf = async (integration: string) =>
    JSON.parse((await stand.app.deps.store.connections.get(stand.ana.id, integration, ''))?.config ?? '');

  it('asks for an instance once: a new key uses the instance of the key before', async () => {
    const field = async () => (await stand.api('GET', '/api/auth/git')).body.fields[0];
    expect(await field()).toMatchObject({ key: 'instanceUrl', required: true });
    await save({ username: 'ana', token: 'one', instanceUrl: stand.provider.url }, 'git');
    expect(await field()).toMatchObject({
      required: false,
      placeholder: stand.provider.url,
      help: `Leave this empty to keep ${stand.provider.url}.`,
    });
    expect((await save({ username: 'ana', token: 'two', instanceUrl: ' ' }, 'git')).status).toBe(200);
    expect(await placeOf('git')).toEqual({ instanceUrl: stand.provider.url });
  });

  it.each([
    ['in a header of its own', 'redmine', { apiKey: 'a-very-long-secret' }],
    ['as a Bearer', 'sentry', { token: 'a-very-long-secret' }],
    ['as user and password', 'git', { username: 'somebody', token: 'a-very-long-secret' }],
  ])('never shows, logs or stores a key that the upstream repeats (%s)', async (_, integration, values) => {
    const upstream = await startHttpServer((request, response) =>
      response.writeHead(500).end(`You sent ${JSON.stringify(request.headers)}`),
    );
    await save({ ...values, instanceUrl: `http://127.0.0.1:${upstream.port}` }, integration);
    const tool = `${integration}_request`;
    const { results } = await call(stand.app, stand.ana.keyHeader, 'execute_tools', {
      executions: [{ tool, args: { method: 'GET', path: '/x' } }],
    });
    await upstream.close();
    const { entries } = (await stand.api('GET', '/api/audit')).body;
    const told = JSON.stringify([results, entries, stand.app.lines]);
    expect(told).toContain('500: You sent {');
    for (const secret of ['a-very-long-secret', btoa('somebody:a-very-long-secret')])
      expect(told).not.toContain(secret);
  });

  it.each([
    ['PHP', (text: string) => text.replaceAll('/', '\\/')],
    ['.NET', (text: string) => text.replaceAll('+', '\\u002B')],
    ['Gson', (text: string) => text.replaceAll('=', '\\u003d')],
  ])('never shows a key that %s escapes in JSON', async (_, escaped) => {
    const secret = 'a/very+long="secret"=';
    const upstream = await startHttpServer(({ headers }, response) => {
      const body = escaped(JSON.stringify({ message: `You sent ${headers.authorization}` }));
      response.writeHead(400, { 'content-type': 'application/json' }).end(body);
    });
    await save({ token: secret, instanceUrl: `http://127.0.0.1:${upstream.port}` }, 'sentry');
    const { body } = await stand.api('POST', '/rest/sentry', {
      tool: 'sentry_request',
      args: { path: '/x' },
    });
    await upstream.close();
    expect(body.error).toBe('400: You sent Bearer …');
  });

  // Searching for the whole secret at each letter of this refusal would take longer than the test's time
  // limit.
  it('redacts a long key in a long refusal without delaying others', async () => {
    const half = 'a'.repeat(2_000);
    const upstream = await startHttpServer((_, response) =>
      response.writeHead(400, { 'content-type': 'text/plain' }).end('a'.repeat(15 * 1024 * 1024)),
    );
    await save({ token: `${half}b${half}`, instanceUrl: `http://127.0.0.1:${upstream.port}` }, 'sentry');
    const { body } = await stand.api('POST', '/rest/sentry', {
      tool: 'sentry_request',
      args: { path: '/x' },
    });
    await upstream.close();
    expect(body.error).toMatch(/^400: …+/);
  });

  it('redacts the key in JSON that is longer than what is shown of it', async () => {
    const upstream = await startHttpServer(({ headers }, response) => {
      const body = JSON.stringify({ message: headers.authorization, page: '<p>'.repeat(50_000) });
      response.writeHead(400, { 'content-type': 'application/json' }).end(body);
    });
    await save({ token: 'a-long-secret', instanceUrl: `http://127.0.0.1:${upstream.port}` }, 'sentry');
    const { body } = await stand.api('POST', '/rest/sentry', {
      tool: 'sentry_request',
      args: { path: '/x' },
    });
    await upstream.close();
    expect(body.error).toMatch(/^400: {"message":"Bearer …","page":"<p>/);
  });

  it('adds an account for another address, and for a region', async () => {
    const server = await startHttpServer((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('[{"id":"1","slug":"acme"}]'),
    );
    const own = `http://127.0.0.1:${server.port}`;
    const other = `http://localhost:${server.port}`;
    await stand.reopen({ UPSTREAM_MAP: `https://de.sentry.io=${own}` });
    await save({ token: 'one', instanceUrl: own }, 'sentry');
    const { fields } = (await stand.api('GET', '/api/auth/sentry')).body;
    expect(fields[0].help).toBe(`Leave this and “Region” empty to keep ${own}.`);
    await save({ token: 'two' }, 'sentry');
    expect(await placeOf('sentry')).toEqual({ instanceUrl: own });
    await save({ token: 'three', instanceUrl: other }, 'sentry');
    await save({ token: 'four', region: 'de' }, 'sentry');
    const rows = await stand.app.deps.store.connections.of(stand.ana.id, 'sentry');
    const places = rows.map(({ config }) => JSON.parse(config ?? ''));
    expect(places).toHaveLength(3);
    expect(places).toEqual(
      expect.arrayContaining([{ instanceUrl: own }, { instanceUrl: other }, { region: 'de' }]),
    );
    await server.close();
  });

  it.each(['/api/auth/apikey/keyed', '/api/connect/redeem'])(
    'reads no body larger than 64 KiB at %s',
    async (path) => {
      expect((await stand.api('POST', path, { values: {}, token: 'x'.repeat(70_000) })).status).toBe(413);
    },
  );

  it('keeps the former settings when a new key has none', async () => {
    await save(good);
    await stand.app.deps.vault.save(stand.ana.id, 'keyed', { accessToken: '{"apiKey":"x"}' });
    expect(
      JSON.parse((await stand.app.deps.store.connections.get(stand.ana.id, 'keyed', ''))?.config ?? ''),
    ).toEqual({
      region: 'eu',
      note: 'mine',
    });
  });
});
