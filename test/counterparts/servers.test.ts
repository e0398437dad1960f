// Uses servers made with the SDKs of others as a person and an agent do, in each of their modes. WRITE_COUNTERPARTS=1 writes
// the table of docs/mcp-servers.md.
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, type ExpectStatic, it } from 'vitest';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { integrations } from '../../integrations/all.ts';
import { describeWith } from '../support/describe-with.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { type OpenedServers, openServers } from '../support/local-servers.ts';
import { openMcpClients } from '../support/mcp-clients.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';
import { type Counterpart, type Lack, type Mode, MODES, type Suite, SUITES } from './programs.ts';
import { startCounterpart } from './started.ts';
import { openTable } from './table.ts';

/** Each starts two interpreters, beside four others. */
const TIMEOUT_MS = 300_000;
const POLL = { timeout: 60_000, interval: 100 };

const TOOLS =
  'about audio die grow large nested pair picture progress protocol_error recursive resource seen slow structured text tool_error'.split(
    ' ',
  );

const isInstalled = ({ installed }: Suite) => existsSync(installed);
// The keys of `modes` are those of its type.
const modesOf = ({ modes }: Counterpart) => Object.keys(modes) as Mode[];
const nameOf = ({ id }: Counterpart, mode: Mode) => `${id}_${mode.replace('-', '_')}`;
const entryOf = (counterpart: Counterpart) => {
  const [command, ...args] = counterpart.command('stdio', 0);
  return { command, args };
};

const INSTALLED = SUITES.filter(isInstalled).flatMap(({ counterparts }) => counterparts);
const LOCAL = INSTALLED.filter((counterpart) => modesOf(counterpart).includes('stdio'));
const LANGUAGES = new Set(INSTALLED.map(({ language }) => language));
const ONE_OF_EACH = [...LANGUAGES].flatMap(
  (language) => INSTALLED.find((counterpart) => counterpart.language === language) ?? [],
);

let app: TestApp;
let operated: OpenedServers;
let listed: Promise<void>;
const stop = new AbortController();
const table = openTable('| SDK | Language |');

beforeAll(async () => {
  operated = await openServers(
    Object.fromEntries(LOCAL.map((counterpart) => [nameOf(counterpart, 'stdio'), entryOf(counterpart)])),
  );
  const clock = createSystemClock(setImmediate);
  app = await createTestApp({ ports: { clock, integrations, localServers: operated.localServers } });
  // The first person owns the gateway.
  await app.user('owner@localhost');
  listed = app.deps.imports.start(stop.signal);
});
afterAll(async () => {
  table.write();
  stop.abort();
  await listed;
  await app.deps.mcp.close();
  await app.close();
  await operated.close();
});

// It comes first: it waits while the others work.
describe.concurrent('calls that take long', () => {
  it.concurrent(
    'a server of each language answers after 90 seconds, and progress gives it more time than it has',
    { timeout: TIMEOUT_MS },
    async ({ expect }) => {
      const answers = await Promise.all(ONE_OF_EACH.map(waitFor));
      const outcome = {
        waited: { result: 'waited' },
        told: expect.stringMatching(/step 3[^]*done/),
        ended: { error: expect.stringMatching(/did not answer within \d+ seconds/) },
      };
      expect(answers).toMatchObject(ONE_OF_EACH.map(({ language }) => ({ language, ...outcome })));
    },
  );
});

for (const suite of SUITES) {
  const excuse = suite.excuse && process.env[suite.excuse];
  const missing = isInstalled(suite) ? undefined : `${suite.installed} is missing; npm run counterparts`;
  describeWith(`the servers of ${suite.name}`, missing, () => testSuite(suite), { concurrent: true, excuse });
}

function testSuite({ counterparts }: Suite): void {
  const cells = counterparts.flatMap((counterpart) =>
    modesOf(counterpart).map((mode) => ({
      counterpart,
      mode,
      name: `${counterpart.name} over ${MODES[mode]}`,
    })),
  );
  it.concurrent.for(cells)(
    '$name: added, listed, called, changed, ended and removed',
    { timeout: TIMEOUT_MS },
    ({ counterpart, mode }, { expect }) => use(counterpart, mode, expect),
  );
  it.concurrent.for(counterparts)(
    '$name over stdio: listed although it starts slowly',
    { timeout: TIMEOUT_MS },
    (counterpart, { expect }) => listSlow(counterpart, expect),
  );
}

interface Stand {
  name: string;
  user: TestUser;
  person: ImportUser;
  lacks: readonly Lack[];
  expect: ExpectStatic;
  run: (tool: string, args?: object) => Promise<Record<string, unknown>>;
}

async function use(counterpart: Counterpart, mode: Mode, expect: ExpectStatic): Promise<void> {
  const name = nameOf(counterpart, mode);
  const user = await app.user(`${name}@example.com`);
  const person = createImportUser(app, user);
  const stand: Stand = {
    name,
    user,
    person,
    lacks: counterpart.modes[mode] ?? [],
    expect,
    async run(tool, args = {}) {
      const { status, body } = await person.send('POST', `/rest/${name}`, { tool, args });
      return status === 200 ? { result: body.result } : { status, error: body.error };
    },
  };
  let version = '';
  if (mode === 'stdio') {
    await expect.poll(() => toolsOf(stand), POLL).toEqual(TOOLS.map(granted));
    version = await useTools(stand);
    await seeEnd(stand, async () => {});
  } else {
    const started = await startCounterpart(counterpart, mode);
    try {
      await add(stand, started.address);
      version = await useTools(stand);
      await seeEnd(stand, () => started.restart());
      await remove(stand);
    } finally {
      await started.close();
    }
  }
  table.add(cellsOf(counterpart, mode, version), expect);
}

function cellsOf({ language, modes, name }: Counterpart, mode: Mode, version: string): string[] {
  const has = (lack: Lack, otherwise: string) => (modes[mode]?.includes(lack) ? otherwise : 'yes');
  const told = [has('progress', 'no'), has('cancelling', 'no'), has('changes', 'at the next check')];
  return [`\`${name}\``, language, version, MODES[mode], ...told];
}

const granted = (name: string) => ({ name, state: 'granted' });

async function toolsOf({ name, person }: Stand): Promise<{ name: string; state: string }[]> {
  const { body } = await person.send('GET', `/api/imports/${name}`);
  const tools: { name: string; state: string }[] = body.tools ?? [];
  return tools
    .map((tool) => ({ name: tool.name.slice(name.length + 1), state: tool.state }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

async function add(stand: Stand, address: string): Promise<void> {
  const { expect, name, person } = stand;
  const preview = await person.preview({ address });
  expect(preview).toMatchObject({ kind: 'mcp', listed: true, auth: { type: 'none' } });
  expect(preview.tools).toHaveLength(TOOLS.length);
  const added = await person.send('POST', '/api/imports', { address, name });
  expect(added).toMatchObject({ status: 201, body: { name } });
  expect(await toolsOf(stand)).toEqual(TOOLS.map(granted));
}

/** Returns the version of the SDK. */
async function useTools(stand: Stand): Promise<string> {
  const { expect, lacks, name, person, run } = stand;
  expect(await person.search('adds two integers')).toContain(`${name}_structured`);
  expect(await person.run(`${name}_text`, { word: 'hello' })).toEqual({ result: 'said: hello' });
  await useValues(stand);
  await useDigits(stand);
  await useArguments(stand);
  expect(await run('tool_error')).toEqual({
    status: 502,
    error: expect.stringContaining('the disk is full'),
  });
  const refused = lacks.includes('refusals')
    ? /the request is refused|closed the connection before it answered/
    : /the request is refused/;
  expect(await run('protocol_error')).toEqual({ status: 502, error: expect.stringMatching(refused) });
  await seeProgress(stand);
  expect(await run('slow', { seconds: 0.3 })).toEqual({ result: 'waited' });
  await cancel(stand);
  await change(stand);
  return String((await run('about'))['result']);
}

async function useValues({ expect, run }: Stand): Promise<void> {
  expect(await run('structured', { a: 2, b: 1 })).toEqual({ result: { sum: 3 } });
  expect(await run('picture')).toMatchObject({ result: { type: 'image', mimeType: 'image/png' } });
  expect(await run('audio')).toMatchObject({
    result: { type: 'audio', file: { mimeType: 'audio/wav', bytes: 44 } },
  });
  expect(await run('resource')).toMatchObject({
    result: { resource: { file: { name: 'data.bin', bytes: 3 } } },
  });
  expect(await run('large')).toEqual({ result: 'x'.repeat(2_000_000) });
}

/** The body is raw: no number of JavaScript has these digits. */
async function useDigits({ expect, lacks, name, user }: Stand): Promise<void> {
  const response = await app.request(`/rest/${name}`, {
    method: 'POST',
    headers: { ...user.keyHeader, 'content-type': 'application/json' },
    body: '{"tool":"structured","args":{"a":9007199254740993,"b":1}}',
  });
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text.includes('9007199254740994'), text).toBe(!lacks.includes('digits'));
}

async function useArguments({ expect, run }: Stand): Promise<void> {
  const order = { customer: { name: 'Ana' }, lines: [{ item: 'tea', count: 2 }] };
  expect(await run('nested', { order })).toEqual({ result: 'Ana: 2 tea' });
  const tree = { value: 1, children: [{ value: 2, children: [{ value: 3 }] }] };
  expect(String((await run('recursive', { tree }))['result'])).toBe('6');
  expect(await run('pair', { point: [1, 2] })).toEqual({ result: '1 and 2' });
  expect(await run('pair', { point: [1, 2, 3] })).toMatchObject({ status: 400 });
  expect(await run('text', { word: 'hello', loud: null })).toEqual({ result: 'said: hello' });
}

async function seeProgress({ expect, lacks, name, user }: Stand): Promise<void> {
  const text = await askForProgress(user, `${name}_progress`);
  expect(text).toContain('done');
  if (!lacks.includes('progress')) expect.soft(text).toContain('step 3');
}

/** Asks as a client does that wants to hear of the progress, and returns all that it hears. */
async function askForProgress({ keyHeader }: TestUser, tool: string, args = {}): Promise<string> {
  const response = await app.request('/mcp', {
    method: 'POST',
    headers: {
      ...keyHeader,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'execute_tools',
        arguments: { executions: [{ tool, args }] },
        _meta: { progressToken: 'steps' },
      },
    }),
  });
  return response.text();
}

/** The server takes 90 seconds. One import has the time; the other has a minute, and another one after each step. */
async function waitFor(counterpart: Counterpart) {
  const { id, language } = counterpart;
  const [patient, usual] = [`${id}_patient`, `${id}_usual`];
  const user = await app.user(`${patient}@example.com`);
  const person = createImportUser(app, user);
  const started = await startCounterpart(counterpart, 'sessions');
  try {
    const { address } = started;
    await person.send('POST', '/api/imports', { address, name: patient, timeoutSec: 180 });
    await person.send('POST', '/api/imports', { address, name: usual });
    const [waited, told, ended] = await Promise.all([
      person.run(`${patient}_slow`, { seconds: 90 }),
      askForProgress(user, `${usual}_progress`, { pause: 30 }),
      person.run(`${usual}_slow`, { seconds: 90 }),
    ]);
    return { language, waited, told, ended };
  } finally {
    await started.close();
  }
}

async function cancel({ expect, lacks, name, run, user }: Stand): Promise<void> {
  const seen = async () => (await run('seen'))['result'];
  expect(await seen()).toEqual({ begun: 1, cancelled: 0 });
  const cancelled = new AbortController();
  const call = app.request(`/rest/${name}`, {
    method: 'POST',
    headers: { ...user.keyHeader, 'content-type': 'application/json' },
    body: JSON.stringify({ tool: 'slow', args: { seconds: 600 } }),
    signal: cancelled.signal,
  });
  await expect.poll(seen, POLL).toMatchObject({ begun: 2 });
  cancelled.abort();
  await Promise.resolve(call).catch(() => {});
  if (!lacks.includes('cancelling')) await expect.poll(seen, POLL).toEqual({ begun: 2, cancelled: 1 });
}

async function change(stand: Stand): Promise<void> {
  const { expect, lacks, name, person, run } = stand;
  expect(await run('grow', { name: 'added' })).toEqual({ result: 'grown' });
  // The source may be asked at this moment.
  const check = () => person.send('POST', `/api/imports/${name}/check`);
  if (lacks.includes('changes')) await expect.poll(check, POLL).toMatchObject({ status: 200 });
  await expect.poll(() => toolsOf(stand), POLL).toContainEqual(expect.objectContaining({ name: 'added' }));
}

async function seeEnd({ expect, run }: Stand, restart: () => Promise<void>): Promise<void> {
  expect(await run('die')).toEqual({ status: 502, error: expect.stringContaining('The call may have run') });
  await restart();
  expect(await run('text', { word: 'again' })).toEqual({ result: 'said: again' });
}

async function remove({ expect, name, person, run }: Stand): Promise<void> {
  expect(await person.send('DELETE', `/api/imports/${name}`)).toMatchObject({ status: 200 });
  expect(await person.send('GET', `/api/imports/${name}`)).toMatchObject({ status: 404 });
  expect(await run('text', { word: 'gone' })).toMatchObject({ status: 404 });
}

/** No program answers within a millisecond, so the gateway tries the older protocol before it hears anything. */
async function listSlow(counterpart: Counterpart, expect: ExpectStatic): Promise<void> {
  const { localServers, close } = await openServers({ slow: entryOf(counterpart) });
  const stand = openMcpClients({ localServers, limits: { list: 120_000, call: 60_000, silence: 1 } });
  try {
    const { tools } = await stand.clients.list(stand.reach('stdio:slow', { key: 'slow', isPassing: true }));
    expect(tools).toHaveLength(TOOLS.length);
  } finally {
    await stand.close();
    await close();
  }
}
