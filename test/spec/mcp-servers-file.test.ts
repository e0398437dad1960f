// Tests the operator's file of MCP servers. reference: Environment variables; decision: 044
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/config-error.ts';
import { readServersFile } from '../../src/config/mcp-servers.ts';

const ENV = {
  COMPANY_TOKEN: 'company-token',
  ENCRYPTION_KEY: 'a'.repeat(64),
  GITHUB_CLIENT_SECRET: 'hush',
  API_KEY: 'k',
};
const readText = (text: string) =>
  readServersFile(text, { file: 'mcp.json', env: ENV, isTaken: (name) => name === 'github' });
const read = (mcpServers: unknown) => readText(JSON.stringify({ mcpServers }));

function problemsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ name, message }) => `${name} ${message}`);
    throw error;
  }
  return [];
}

describe('the file of MCP servers', () => {
  it('reads servers that are started and servers that have an address', () => {
    const { servers, warnings } = read({
      'My Memory': {
        type: 'stdio',
        command: 'npx',
        args: ['-y', '@scope/server'],
        env: { KEY: 'a ${Api_Key} b ${env:COMPANY_TOKEN}', OTHER: '${api_key}', PLAIN: '$HOME' },
        cwd: '/srv',
      },
      remote: {
        type: 'http',
        url: 'https://mcp.example.com/mcp',
        headers: { Authorization: 'Bearer ${token}', 'X-Company': '${env:COMPANY_TOKEN}' },
      },
      off: { command: 'npx', disabled: true },
    });
    expect(servers).toEqual([
      {
        name: 'my_memory',
        fields: ['api_key'],
        command: 'npx',
        args: [['-y'], ['@scope/server']],
        env: {
          KEY: ['a ', { field: 'api_key' }, ' b ', 'company-token'],
          OTHER: [{ field: 'api_key' }],
          PLAIN: ['$HOME'],
        },
        cwd: '/srv',
        isShared: false,
        secrets: ['company-token'],
      },
      {
        name: 'remote',
        fields: ['token'],
        url: 'https://mcp.example.com/mcp',
        headers: { Authorization: 'Bearer {token}', 'X-Company': 'company-token' },
      },
    ]);
    expect(warnings).toEqual([]);
  });

  it('may have no servers', () => {
    expect(read({}).servers).toEqual([]);
  });

  it('warns of values in arguments, of keys that it does not know, and of a field that is called like a variable', () => {
    const { warnings } = read({
      a: { command: 'npx', args: ['--key=${key}'], autoApprove: [] },
      b: { command: 'npx', args: ['${env:COMPANY_TOKEN}'], env: { KEY: '${API_KEY}' } },
    });
    expect(warnings).toEqual([
      'server "a": "autoApprove" is ignored',
      'server "a": "args" hold values that everybody on this machine can see in the list of processes; use "env" if the server can',
      'server "b": "args" hold values that everybody on this machine can see in the list of processes; use "env" if the server can',
      'server "b": ${API_KEY} asks each person for a value; write ${env:API_KEY} for the variable API_KEY',
    ]);
  });

  it.each([
    ['', 'is not valid JSON; it may have no comments and no comma before } or ]'],
    ['{\n// x\n}', 'is not valid JSON in line 2; it may have no comments and no comma before } or ]'],
    ['{"servers": {}}', 'has "servers" and no "mcpServers"; rename it'],
    ['[]', 'must be an object {"mcpServers": {"<name>": {"command": "…"}}}'],
    ['{"mcpServers": []}', 'must be an object {"mcpServers": {"<name>": {"command": "…"}}}'],
  ])('refuses %j as a whole', (text, message) => {
    expect(problemsOf(() => readText(text))).toEqual([`MCP_SERVERS mcp.json: ${message}`]);
  });

  it.each<[string, unknown, string]>([
    ['no object', 'npx', 'must be an object: {"command"'],
    ['a list', [], 'must be an object: {"command"'],
    ['neither', {}, 'needs "command" to be started, or "url" to be reached over HTTP'],
    ['both', { command: 'a', url: 'https://a.example' }, 'has "command" and "url"; remove one of them'],
    ['an empty command', { command: '' }, '"command" must not be empty'],
    ['arguments as a text', { command: 'a', args: '-y' }, '"args" must be a list of texts'],
    [
      'a number as an argument',
      { command: 'a', args: ['-p', 80] },
      '"args[1]" must be a text; write numbers and true in quotes',
    ],
    [
      'a number as a variable',
      { command: 'a', env: { PORT: 80 } },
      '"env.PORT" must be a text; write numbers and true in quotes',
    ],
    [
      'a variable with =',
      { command: 'a', env: { 'A=B': 'x' } },
      '"env" has a key that is no name of a variable',
    ],
    ['an unknown type', { type: 'tcp', command: 'a' }, '"type" must be one of: stdio, http'],
    ['a type of the other kind', { type: 'http', command: 'a' }, 'has "command", so "type" must be "stdio"'],
    [
      'stdio with an address',
      { type: 'stdio', url: 'https://a.example' },
      'has "url", so "type" cannot be "stdio"',
    ],
    [
      'a shared process and values of each person',
      { command: 'a', env: { A: '${x}' }, shared: true },
      'has values of each person, so "shared" cannot be true',
    ],
    ['a shared address', { url: 'https://a.example', shared: true }, 'so "shared" cannot be used'],
    ['headers of a command', { command: 'a', headers: {} }, 'so "headers" cannot be sent; use "env"'],
    ['variables of an address', { url: 'https://a.example', env: {} }, 'has "url", so "env" cannot be used'],
    ['another scheme', { url: 'file:///etc/passwd' }, '"url" must be an http or https address'],
    [
      'a password in the address',
      { url: 'https://a:hush@a.example' },
      '"url" must be an http or https address',
    ],
    ['a field in the address', { url: 'https://${x}.example' }, '"url" must be the same for everybody'],
    ['a field in the command', { command: '${x}' }, '"command" must be the same for everybody'],
    ['a field in the folder', { command: 'a', cwd: '/srv/${x}' }, '"cwd" must be the same for everybody'],
    [
      'braces in a header',
      { url: 'https://a.example', headers: { A: '{x}' } },
      '"headers.A" must have no braces',
    ],
    [
      'a line break in a header',
      { url: 'https://a.example', headers: { A: 'a\nb' } },
      '"headers.A" must have no braces and no line breaks',
    ],
    [
      'a wrong name of a header',
      { url: 'https://a.example', headers: { 'A B': 'x' } },
      '"headers" has a key that is no name of a header',
    ],
    [
      'a default of a shell',
      { command: 'a', env: { A: '${B:-hush}' } },
      '"env.A" must use ${field} for a value of each person',
    ],
    [
      'an input of another client',
      { command: 'a', args: ['${input:key}'] },
      '"args[0]" must use ${field} for a value of each person',
    ],
    ['NUL', { command: 'a', args: ['\0'] }, '"args[0]" must not contain the character NUL'],
    [
      'a variable that is not set',
      { command: 'a', env: { A: '${env:ABSENT}' } },
      '"env.A" uses the variable "ABSENT", which is not set',
    ],
    [
      'the key of the gateway',
      { command: 'a', env: { A: '${env:ENCRYPTION_KEY}' } },
      '"env.A" must not use ENCRYPTION_KEY, which belongs to the gateway',
    ],
    [
      'a client of the gateway',
      { command: 'a', env: { A: '${env:GITHUB_CLIENT_SECRET}' } },
      'must not use GITHUB_CLIENT_SECRET',
    ],
  ])('refuses a server with %s, and repeats no value', (_, server, message) => {
    const problems = problemsOf(() => read({ x: server }));
    expect(problems).toEqual([expect.stringContaining(`MCP_SERVERS mcp.json: server "x": `)]);
    expect(problems[0]).toContain(message);
    expect(problems[0]).not.toMatch(/hush|aaaa/);
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      'that another server has',
      { 'a.b': { command: 'a' }, 'A B': { command: '' } },
      'server "A B": is left out, because it would be called "a_b" as server "a.b" is; rename one',
    ],
    [
      'without letters',
      { 'a.b': { command: 'a' }, '—': { comand: 'a' } },
      'server "—": is left out, because a name has 1 to 32 letters, digits and _; rename it',
    ],
    [
      'that is too long',
      { ['x'.repeat(33)]: 'nothing', 'a.b': { command: 'a' } },
      `server "${'x'.repeat(33)}": is left out, because a name has 1 to 32 letters, digits and _; rename it`,
    ],
  ])('leaves out a server with a name %s, whatever else is wrong with it', (_, servers, warning) => {
    const file = read(servers);
    expect(file.servers.map(({ name }) => name)).toEqual(['a_b']);
    expect(file.warnings).toEqual([warning]);
  });

  it('adds _mcp to a name of the gateway’s own', () => {
    const { servers, warnings } = read({ GitHub: { command: 'a' }, other: { command: 'b' } });
    expect(servers.map(({ name }) => name)).toEqual(['github_mcp', 'other']);
    expect(warnings).toEqual([
      'server "GitHub": is called "github_mcp", because "github" is a name of the gateway\'s own',
    ]);
  });

  it('keeps a name with _mcp for the server that has it in the file', () => {
    const { servers, warnings } = read({ github: { command: 'a' }, 'github-mcp': { command: 'b' } });
    expect(servers).toMatchObject([{ name: 'github_mcp', command: 'b' }]);
    expect(warnings).toEqual([
      'server "github": is left out, because it would be called "github_mcp" as server "github-mcp" is; rename one',
    ]);
  });

  it('shares a process between people where no value is theirs, unless the entry says otherwise', () => {
    const { servers } = read({
      plain: { command: 'a' },
      own: { command: 'a', shared: false },
      theirs: { command: 'a', env: { KEY: '${key}' } },
    });
    expect(servers.map((server) => 'isShared' in server && server.isShared)).toEqual([true, false, false]);
  });

  it('lists all problems of all servers at once', () => {
    expect(
      problemsOf(() => read({ a: {}, b: { command: '${x}', args: [1] }, c: { url: 'x' } })),
    ).toHaveLength(3);
  });
});
