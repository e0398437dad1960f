// Checks that a gateway gives the same answers with FAST_PATH on and off, and that `off` sends every request to Node.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../support/gateway-process.ts';
import { asFiles, done } from '../support/jots.ts';
import { undated } from '../support/raw-http.ts';

/** Makes the gateway print the name of every request that Node's HTTP parser reads. */
const REPORT_REQUESTS = `data:text/javascript,${encodeURIComponent(`
  import { subscribe } from 'node:diagnostics_channel';
  subscribe('http.server.request.start', ({ request }) => console.error('PARSED BY NODE: ' + request.headers['x-name']));
`)}`;

const GET = 'GET /j/site/a.txt';
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
const execute = (tool: string, args: object) =>
  JSON.stringify({
    ...CALL,
    params: { name: 'execute_tools', arguments: { executions: [{ tool, args }] } },
  });

/** Requests that the fast path reads: name, status, method with target, headers, and body. */
const PLAIN: readonly [string, number, string, string[]?, string?][] = [
  ['tools/list', 200, 'POST /mcp', ['KEY'], JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })],
  ['execute_tools', 200, 'POST /mcp', ['KEY'], execute('list_jots', {})],
  ['an unknown tool', 200, 'POST /mcp', ['KEY'], execute('no_such_tool', {})],
  ['a REST call', 200, 'POST /rest/jots', ['KEY'], JSON.stringify({ tool: 'list_jots', args: {} })],
  ['broken JSON', 400, 'POST /mcp', ['KEY'], '{'],
  ['a call without a key', 401, 'POST /mcp', [], JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })],
  ['a call from a foreign page', 403, 'POST /mcp', ['KEY', 'Origin: https://elsewhere.example'], '{}'],
  ['an unknown integration', 404, 'POST /rest/none', ['KEY'], JSON.stringify({ tool: 'x', args: {} })],
  ['a file', 200, GET],
  ['a large file', 200, 'GET /j/site/large.txt'],
  ['an unchanged file', 304, GET, ['If-None-Match: *']],
];

/** Requests that Node's parser reads in both cases. */
const OTHER: typeof PLAIN = [
  ['a HEAD request', 200, 'HEAD /j/site/a.txt'],
  ['a part of a file', 206, GET, ['Range: bytes=0-3']],
  ['a missing file', 404, 'GET /j/site/none.txt'],
  ['a metadata document', 200, 'GET /.well-known/oauth-authorization-server'],
];
const ALL = [...PLAIN, ...OTHER];

interface Run {
  /** Maps the name of a request to its response. */
  answers: Map<string, string>;
  /** The names of the requests that Node's HTTP parser read. */
  parsedByNode: (string | undefined)[];
}

let site: Site;
let on: Run;
let off: Run;
beforeAll(async () => {
  site = await openSite();
  const gateway = await site.start();
  const files = asFiles({
    'index.html': '<h1>Site</h1>',
    'a.txt': 'the text',
    'large.txt': 'Large. '.repeat(5_000),
  });
  const owner = { keyHeader: { 'x-service-api-key': gateway.apiKey } };
  await done(gateway, owner, 'deploy_jot', { name: 'site', files });
  await gateway.stop();
  const port = gateway.port;
  on = await sendAll('on', gateway.apiKey, port);
  off = await sendAll('off', gateway.apiKey, port);
});
afterAll(() => site.close());

async function sendAll(fastPath: string, apiKey: string, port: number): Promise<Run> {
  const env = { FAST_PATH: fastPath, NODE_OPTIONS: `--import=${REPORT_REQUESTS}` };
  const gateway = await site.start({ env, port });
  // The fast path serves files from memory, and the first read of a file puts it there.
  for (const file of ['a.txt', 'large.txt']) await (await gateway.request(`/j/site/${file}`)).arrayBuffer();
  const answers = new Map<string, string>();
  for (const [name, , target, lines = [], body] of ALL) {
    const head = [
      `${target} HTTP/1.1`,
      `Host: localhost:${port}`,
      `X-Name: ${name}`,
      'Connection: close',
      ...lines.map((line) => (line === 'KEY' ? `X-Service-Api-Key: ${apiKey}` : line)),
      ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    ];
    answers.set(name, await exchange(port, `${head.join('\r\n')}\r\n\r\n${body ?? ''}`));
  }
  await gateway.stop();
  const reports = gateway.output.stderr.matchAll(/^PARSED BY NODE: (.*)$/gm);
  return {
    answers,
    parsedByNode: [...reports].map(([, name]) => name).filter((name) => name !== 'undefined'),
  };
}

/** Returns the response without what differs from request to request. The headers are sorted: their order has no meaning. */
async function exchange(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write(request, 'latin1');
  const [head = '', ...rest] = undated((await socket.toArray()).join(''))
    .replaceAll(/"durationMs":\d+/g, '"durationMs":0')
    .replace(/^x-request-id: .*$/im, 'x-request-id: …')
    .split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  return [[status, ...lines.toSorted()].join('\n'), ...rest].join('\n\n');
}

const names = (requests: typeof PLAIN) => requests.map(([name]) => name);

describe('A gateway with FAST_PATH=off', () => {
  it.each(ALL)('answers %s with %i, as it does with FAST_PATH=on', (name, status) => {
    expect(off.answers.get(name)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(off.answers.get(name)).toBe(on.answers.get(name));
  });

  it('lets Node’s parser read every request', () => {
    expect(off.parsedByNode).toEqual(names(ALL));
  });
});

describe('A gateway with FAST_PATH=on', () => {
  it('lets Node’s parser read only the requests that are not plain', () => {
    expect(on.parsedByNode).toEqual(names(OTHER));
  });
});
