// Imports every kind of MCP server in every way to authenticate, and uses each as a person and an agent do.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { integrations } from '../../integrations/all.ts';
import { createBrowser } from '../support/browser.ts';
import { signInAt } from '../support/gateway-site.ts';
import {
  type Cell,
  CELLS,
  CLIENT,
  drawTable,
  NAME,
  openSignIn,
  type Probe,
  TOKEN,
  tokenGate,
} from '../support/import-matrix.ts';
import { openServers } from '../support/local-servers.ts';
import { call } from '../support/mcp.ts';
import { BASE, createTestApp, type Options, type TestApp, type TestUser } from '../support/test-app.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Providers fetch client documents only from https addresses. */
const PUBLIC = {
  SERVER_PUBLIC_URL: 'https://gateway.example',
  SESSION_SECRET: '0123456789abcdef'.repeat(4),
  ENCRYPTION_KEY: 'fedcba9876543210'.repeat(4),
  EGRESS_ALLOW: '127.0.0.1',
  CONNECT_CONFIRM: 'never',
};

interface Stand {
  app: TestApp;
  ana: TestUser;
  base: string;
  /** Null for a server of the operator, which is there already. */
  address: string | null;
  probe: Probe;
  /** What a person fills in. */
  values: Readonly<Record<string, string>>;
}

async function openApp(options: Options): Promise<{ app: TestApp; ana: TestUser }> {
  // The provider uses the real time.
  const app = await createTestApp({
    now: Math.floor(Date.now() / 1000),
    ...options,
    // Without the tools of the tests, which would be found as well.
    ports: { integrations, ...options.ports },
  });
  closing.push(async () => {
    await app.deps.mcp.close();
    await app.close();
  });
  return { app, ana: await app.user('owner@localhost') };
}

/** A gateway with a server of the operator's file. */
async function openOperated(
  entry: object,
  probe: Probe,
  values: Stand['values'],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Stand> {
  const { localServers, close } = await openServers({ [NAME]: entry }, { env });
  closing.push(close);
  const { app, ana } = await openApp({ ports: { localServers } });
  await app.deps.imports.start(new AbortController().signal);
  return { app, ana, base: BASE, address: null, probe, values };
}

async function open({ server, way }: Cell): Promise<Stand> {
  const { probe } = server;
  if (server.local !== null) {
    const folder = await mkdtemp(join(tmpdir(), 'matrix-'));
    closing.push(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'note.txt'), 'a note');
    const { entry, probe: own, values } = server.local(way, folder);
    return openOperated(entry, own, values);
  }
  if (server.start === null) throw new Error(`${server.name} cannot be started`);
  switch (way) {
    case 'none':
    case 'token': {
      const { address, close } = await server.start(way === 'token' ? tokenGate(TOKEN) : undefined);
      closing.push(close);
      const values = way === 'token' ? { token: TOKEN } : {};
      return { ...(await openApp({})), base: BASE, address, probe, values };
    }
    case 'operator':
    case 'operator-field': {
      const { address, close } = await server.start(tokenGate(TOKEN));
      closing.push(close);
      const isField = way === 'operator-field';
      const token = isField ? '${token}' : '${env:COMPANY_TOKEN}';
      return openOperated(
        { url: address, headers: { Authorization: `Bearer ${token}` } },
        probe,
        isField ? { token: TOKEN } : {},
        { ...process.env, COMPANY_TOKEN: TOKEN },
      );
    }
    case 'registration':
    case 'document':
    case 'given': {
      const isPublic = way === 'document';
      const opened = await openApp({ env: isPublic ? PUBLIC : {} });
      const { gate, protect, provider } = await openSignIn(way, (url) => opened.app.request(url));
      closing.push(() => provider.close());
      const { address, close } = await server.start(gate);
      closing.push(close);
      protect(address);
      return { ...opened, base: isPublic ? PUBLIC.SERVER_PUBLIC_URL : BASE, address, probe, values: {} };
    }
  }
}

async function send({ app, ana }: Stand, method: string, path: string, body?: object) {
  const response = await app.request(path, {
    method,
    headers: { ...ana.sessionHeader, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** What a preview says about the credential. */
const FOUND: Partial<Record<Cell['way'], object>> = {
  none: { listed: true, auth: { type: 'none' } },
  token: { listed: false, auth: { type: 'headers', fields: ['token'] } },
  registration: { listed: false, auth: { type: 'oauth2', client: 'registration' } },
  document: { listed: false, auth: { type: 'oauth2', client: 'document' } },
  given: { listed: false, auth: { type: 'oauth2', client: 'missing' } },
};

async function add(stand: Stand, way: Cell['way'], address: string): Promise<void> {
  const preview = await send(stand, 'POST', '/api/imports/preview', { address });
  expect(preview).toMatchObject({ status: 200, body: { kind: 'mcp', ...FOUND[way] } });
  expect((await send(stand, 'GET', '/api/imports')).body).toMatchObject({ imports: [] });
  // The preview has found the header and the other ways to sign in.
  const auth = way === 'given' ? { auth: { type: 'oauth2', ...CLIENT } } : {};
  const added = await send(stand, 'POST', '/api/imports', { address, name: NAME, ...auth });
  expect(added).toMatchObject({ status: 201, body: { name: NAME } });
}

async function connect(stand: Stand): Promise<void> {
  const { app, base, values } = stand;
  const asked = (await send(stand, 'GET', `/api/auth/${NAME}`)).body;
  if (asked.type !== 'oauth2') {
    expect(asked.fields.map(({ key }: { key: string }) => key)).toEqual(Object.keys(values));
    expect((await send(stand, 'POST', `/api/auth/apikey/${NAME}`, { values })).status).toBe(200);
    return;
  }
  const browser = createBrowser({ servers: { [base]: (request) => app.fetch(request) } });
  const arrived = await signInAt(browser, await browser.open(asked.url), 'ana');
  expect(arrived.url.hash).toBe(`#connected=${NAME}`);
}

/** Uses the tool through every door of agents and programs. */
async function use(stand: Stand): Promise<void> {
  const { app, ana, probe } = stand;
  const tool = `${NAME}_${probe.tool}`;
  await expect
    .poll(async () =>
      (await send(stand, 'GET', `/api/imports/${NAME}`)).body.tools.map(({ name }: { name: string }) => name),
    )
    .toContain(tool);
  const query = probe.tool.replaceAll('_', ' ');
  const { tools } = await call(app, ana.keyHeader, 'search_tools', { query, limit: 5 });
  expect(tools).toContainEqual(expect.objectContaining({ name: tool }));
  const executions = [{ tool, args: probe.args }];
  const { results } = await call(app, ana.keyHeader, 'execute_tools', { executions });
  expect(JSON.stringify(results[0].result ?? results)).toContain(probe.shows);
  const rest = await send(stand, 'POST', `/rest/${NAME}`, { tool: probe.tool, args: probe.args });
  expect(rest.status).toBe(200);
  const audit = (await send(stand, 'GET', '/api/audit')).body;
  expect(JSON.stringify(audit)).toContain(tool);
}

async function disconnect(stand: Stand): Promise<void> {
  const { app, ana, probe } = stand;
  expect((await send(stand, 'DELETE', `/api/connections/${NAME}?revoke=true`)).status).toBe(200);
  const executions = [{ tool: `${NAME}_${probe.tool}`, args: probe.args }];
  const { results } = await call(app, ana.keyHeader, 'execute_tools', { executions });
  expect(results[0]).toMatchObject({ error: 'NOT_CONNECTED', integration: NAME });
}

describe('an import', () => {
  it.each(CELLS)('works from end to end: $name', async (cell) => {
    const stand = await open(cell);
    if (stand.address !== null) await add(stand, cell.way, stand.address);
    const wantsCredential = cell.way !== 'none' && cell.way !== 'operator';
    if (wantsCredential) await connect(stand);
    await use(stand);
    if (wantsCredential) await disconnect(stand);
    expect((await send(stand, 'DELETE', `/api/imports/${NAME}`)).status).toBe(200);
    expect((await send(stand, 'GET', `/api/imports/${NAME}`)).status).toBe(404);
  });

  it('is documented with the same table', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/mcp-servers.md'), 'utf8');
    const [, section = ''] = page.split('\n## What is tested\n');
    const table = section
      .split(/^## /m)[0]
      ?.match(/^\|.*\|$/gm)
      ?.join('\n');
    expect(table).toBe(drawTable());
  });
});
