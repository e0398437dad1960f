// Lists and calls the tools of real MCP servers over sockets and pipes: each transport, era and generation of the SDK.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { InsufficientScope, Unauthorized } from '../../src/imports/mcp/client.ts';
import { type ClientsStand, openMcpClients } from '../support/mcp-clients.ts';
import {
  type Gate,
  MCP_SERVERS,
  PROGRAMS,
  type Recorded,
  type StartedServer,
  startLocalServer,
} from '../support/mcp-servers.ts';
import { createMemoryFiles } from '../support/memory-files.ts';

const files = createMemoryFiles();
const challenge = 'Bearer resource_metadata="https://mcp.test/.well-known/oauth-protected-resource"';
const narrow = 'Bearer error="insufficient_scope", scope="files:read files:write"';

// A stream for notifications may stand beside the calls.
const isStream = ({ method, rpc }: Recorded) => method === 'GET' || rpc === 'subscriptions/listen';

describe.each(MCP_SERVERS)('$name', ({ name, start, transport, era, echo }) => {
  let server: StartedServer;
  let stand: ClientsStand;
  let refusal: Awaited<ReturnType<Gate>> = null;

  beforeAll(async () => {
    server = await start(() => refusal);
  });
  afterAll(() => server.close());
  beforeEach(() => {
    refusal = null;
    server.requests.length = 0;
    stand = openMcpClients({ localServers: server.processes });
  });
  afterEach(() => stand.close());

  const call = (message: string, reached = stand.reach(server.address)) =>
    stand.clients.call(reached, { name: echo.tool }, { [echo.argument]: message }, files);

  it('is listed', async () => {
    const listed = await stand.clients.list(stand.reach(server.address));
    expect(listed).toMatchObject({ transport, era });
    // One tool of server-everything runs only as a task.
    const onlyTasks = name.startsWith('server-everything') ? ['simulate-research-query'] : [];
    expect(listed.warnings).toEqual(onlyTasks.map((tool) => `Not supported: ${tool} (long-running task)`));
    for (const tool of onlyTasks) expect(listed.tools.map((each) => each.name)).not.toContain(tool);
    expect(listed.serverName).toMatch(/\w/);
    expect(listed.tools).toContainEqual(
      expect.objectContaining({ name: echo.tool, inputSchema: expect.objectContaining({ type: 'object' }) }),
    );
  });

  it('is called with one request a call', async () => {
    expect(await call('hello')).toBe('Echo: hello');
    server.requests.length = 0;
    expect(await call('again')).toBe('Echo: again');
    expect(await call('and again')).toBe('Echo: and again');
    const calls = server.requests.filter((request) => !isStream(request)).map(({ rpc }) => rpc);
    expect(calls).toEqual(transport === 'stdio' ? [] : ['tools/call', 'tools/call']);
  });

  it('answers 32 calls at once in one session, each with its own answer', async () => {
    const processes = server.processes?.started.length ?? 0;
    const words = Array.from({ length: 32 }, (_, index) => `word ${index}`);
    const said = await Promise.all(words.map((word) => call(word)));
    expect(said).toEqual(words.map((word) => `Echo: ${word}`));
    expect((server.processes?.started.length ?? 0) - processes).toBe(transport === 'stdio' ? 1 : 0);
    const begun = server.requests.filter(({ rpc }) => rpc === 'initialize' || rpc === 'server/discover');
    // A server of HTTP+SSE refuses both ways of the newer transport first.
    expect(begun.length).toBeLessThanOrEqual(transport === 'sse' ? 3 : 2);
  });

  it('is called again after it has forgotten the session, or its process has ended', async () => {
    expect(await call('before')).toBe('Echo: before');
    server.forget();
    const running = server.processes?.started.filter(({ exitCode, killed }) => exitCode === null && !killed);
    for (const child of running ?? []) {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    expect(await call('after')).toBe('Echo: after');
  });

  it.skipIf(transport === 'stdio')('tells that somebody has to sign in', async () => {
    refusal = { status: 401, headers: { 'www-authenticate': challenge } };
    const error: unknown = await stand.clients
      .list(stand.reach(server.address))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Unauthorized);
    expect(error).toMatchObject({ challenge, message: expect.stringContaining('127.0.0.1') });
    await expect(call('in')).rejects.toBeInstanceOf(Unauthorized);
    refusal = null;
    expect(await call('in')).toBe('Echo: in');
    refusal = { status: 401, headers: {} };
    await expect(call('in')).rejects.toMatchObject({
      name: 'Unauthorized',
      challenge: null,
      message: expect.stringMatching(/refuses the call.*The import may need a credential now/),
    });
  });

  it.skipIf(transport === 'stdio')('tells which permissions are missing', async () => {
    await call('in');
    refusal = { status: 403, headers: { 'www-authenticate': narrow } };
    const error: unknown = await call('in').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InsufficientScope);
    expect(error).toMatchObject({ scopes: ['files:read', 'files:write'] });
  });
});

describe('the official local servers', () => {
  let folder: string;
  let stand: ClientsStand;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-local-'));
  });
  afterEach(async () => {
    await stand.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('read a file', async () => {
    await writeFile(join(folder, 'note.txt'), 'remember the milk');
    const server = await startLocalServer([process.execPath, PROGRAMS.filesystem, folder]);
    stand = openMcpClients({ localServers: server.processes });
    const reached = stand.reach(server.address);
    const { tools } = await stand.clients.list(reached);
    expect(tools.map(({ name }) => name)).toContain('read_text_file');
    const read = (path: string) => stand.clients.call(reached, { name: 'read_text_file' }, { path }, files);
    expect(await read(join(folder, 'note.txt'))).toEqual({ content: 'remember the milk' });
    await expect(read('/etc/passwd')).rejects.toThrow('Access denied');
  });

  it('remember something', async () => {
    const server = await startLocalServer([process.execPath, PROGRAMS.memory], {
      MEMORY_FILE_PATH: join(folder, 'memory.jsonl'),
    });
    stand = openMcpClients({ localServers: server.processes });
    const reached = stand.reach(server.address);
    const entities = [{ name: 'milk', entityType: 'drink', observations: ['white'] }];
    await stand.clients.call(reached, { name: 'create_entities' }, { entities }, files);
    expect(await stand.clients.call(reached, { name: 'read_graph' }, {}, files)).toMatchObject({ entities });
  });
});
