// Tests REST. reference: REST
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { BODY_VALUES } from '../../src/http/limits.ts';
import { TOO_MUCH } from '../../src/calls/pool.ts';
import { gate, smallWorld } from '../support/fixtures.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;

beforeAll(async () => {
  app = await createTestApp({ ports: { integrations: smallWorld } });
  ana = await app.user();
});
afterAll(() => app.close());

async function get(path: string) {
  const response = await app.request(path, { headers: ana.keyHeader });
  return { status: response.status, body: await response.json() };
}

async function post(integration: string, body: unknown, contentType: string | null = 'application/json') {
  const headers: Record<string, string> =
    contentType === null ? ana.keyHeader : { ...ana.keyHeader, 'content-type': contentType };
  const text =
    typeof body === 'string'
      ? new TextEncoder().encode(body)
      : new TextEncoder().encode(JSON.stringify(body));
  const response = await app.request(`/rest/${integration}`, {
    method: 'POST',
    headers,
    body: text.length === 0 ? null : text,
  });
  return { status: response.status, body: await response.json() };
}

describe('GET /rest', () => {
  it('lists every integration with its path', async () => {
    const { status, body } = await get('/rest');
    expect(status).toBe(200);
    expect(body.integrations[0]).toEqual({
      name: 'time',
      displayName: 'Time',
      authType: 'none',
      connected: true,
      toolCount: 2,
      url: '/rest/time',
    });
    expect(
      body.integrations.map(({ name, connected }: { name: string; connected: boolean }) => [name, connected]),
    ).toEqual([
      ['time', true],
      ['echo', true],
      ['vaulted', false],
      ['keyed', false],
      ['jar', false],
      ['jots', true],
      ['events', true],
      ['files', true],
    ]);
  });

  it('answers the same with a slash at the end', async () => {
    expect(await get('/rest/')).toEqual(await get('/rest'));
  });

  it('describes one integration and its tools', async () => {
    const { status, body } = await get('/rest/jar');
    expect(status).toBe(200);
    const schema = { type: 'object', additionalProperties: false };
    expect(body).toEqual({
      integration: 'jar',
      connected: false,
      tools: [
        {
          name: 'jar_whoami',
          description: 'Who you are at Jar',
          inputSchema: { ...schema, properties: { strict: { type: 'boolean' } }, required: [] },
        },
        {
          name: 'jar_get',
          description: 'Reads a path',
          inputSchema: { ...schema, properties: { path: { type: 'string' } }, required: ['path'] },
        },
      ],
    });
  });

  it.each(['nope', '__proto__', 'constructor'])('answers 404 to the integration %s', async (name) => {
    const { status, body } = await get(`/rest/${name}`);
    expect([status, body.integration]).toEqual([404, name]);
  });
});

describe('POST /rest/:integration, one call', () => {
  const RESULT = { owner: 'o', repo: 'r', state: 'open', perPage: 10, page: 1 };
  const SUCCESS = { integration: 'echo', tool: 'echo_list_pull_requests', result: RESULT };

  it('runs the wrapped form', async () => {
    expect(await post('echo', { tool: 'echo_list_pull_requests', args: { owner: 'o', repo: 'r' } })).toEqual({
      status: 200,
      body: SUCCESS,
    });
  });

  it('runs the flat form', async () => {
    expect(await post('echo', { tool: 'echo_list_pull_requests', owner: 'o', repo: 'r' })).toEqual({
      status: 200,
      body: SUCCESS,
    });
  });

  it('reads a body with `tool` as one call, and `executions` beside it as an argument', async () => {
    const executions = [{ tool: 'nothing', args: {} }];
    const shouted = { status: 200, body: { integration: 'echo', tool: 'shout', result: 'A' } };
    expect(await post('echo', { tool: 'shout', text: 'a', executions })).toEqual(shouted);
    expect(await post('echo', { tool: 'shout', args: { text: 'a' }, executions })).toEqual(shouted);
  });

  it('ignores sibling keys when `args` is present', async () => {
    expect(
      await post('echo', {
        tool: 'list_pull_requests',
        args: { owner: 'o', repo: 'r' },
        owner: 'x',
        junk: 1,
      }),
    ).toEqual({ status: 200, body: SUCCESS });
  });

  it('resolves a bare suffix, and returns the full name', async () => {
    expect((await post('echo', { tool: 'list_pull_requests', owner: 'o', repo: 'r' })).body).toEqual(SUCCESS);
  });

  it('resolves a built-in tool without a prefix by its literal name', async () => {
    expect((await post('echo', { tool: 'shout', text: 'hey' })).body).toEqual({
      integration: 'echo',
      tool: 'shout',
      result: 'HEY',
    });
  });

  it('returns pictures as plain JSON', async () => {
    const { body } = await post('echo', { tool: 'image' });
    expect(body.result).toEqual({
      _mcpImage: { data: expect.stringMatching(/^iVBOR/), mimeType: 'image/png' },
    });
  });

  it('returns null for a tool without a result', async () => {
    expect((await post('echo', { tool: 'nothing' })).body).toEqual({
      integration: 'echo',
      tool: 'echo_nothing',
      result: null,
    });
  });

  it.each([
    'execute_tools',
    'search_tools',
    'connect',
    'wait_for_connection',
    'curl_session',
    'vaulted_whoami',
    'time_now',
    'nope',
    '__proto__',
  ])('answers 404 to %s, which is not a tool of this integration', async (tool) => {
    const { status, body } = await post('echo', { tool });
    expect(status).toBe(404);
    expect(body).toEqual({ error: `Tool not found: ${tool}`, integration: 'echo' });
  });

  it('names near tools and integrations beside a 404', async () => {
    expect((await post('echo', { tool: 'list_pull_request' })).body).toEqual({
      error: 'Tool not found: list_pull_request',
      integration: 'echo',
      nearest: ['echo_list_pull_requests'],
    });
    expect((await post('ecko', { tool: 'shout' })).body).toEqual({
      error: 'Integration not found',
      integration: 'ecko',
      nearest: ['echo'],
    });
  });

  it('answers 404 to an unknown integration, single and batch', async () => {
    for (const body of [{ tool: 'x' }, { executions: [{ tool: 'x', args: {} }] }]) {
      expect(await post('nope', body)).toMatchObject({ status: 404, body: { integration: 'nope' } });
    }
  });

  it('answers 400 to arguments that the schema refuses, and names tool and argument', async () => {
    const { status, body } = await post('echo', { tool: 'list_pull_requests', owner: 'o', extra: 1 });
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual(['error']);
    expect(body.error).toMatch(/^Invalid arguments for echo_list_pull_requests: .*repo.*extra/);
  });

  it.each([true, [], 'x', 5])(
    'answers 400 to args %j, which is not an object, and audits it',
    async (args) => {
      const refused = expect.stringMatching(/^Invalid arguments for shout: .*expected object/);
      expect(await post('echo', { tool: 'shout', args, text: 'a' })).toEqual({
        status: 400,
        body: { error: refused },
      });
      expect((await post('echo', { tool: 'nope', args })).status).toBe(404);
      const [newest] = await app.deps.store.audit.list({ user_id: ana.id, limit: 1 });
      expect(newest).toMatchObject({
        tool: 'shout',
        success: false,
        error: expect.stringContaining('object'),
      });
    },
  );

  it.each([
    ['vaulted', 'Call connect with integration "vaulted", or connect it at http://localhost:3000.'],
    [
      'keyed',
      'Its API key can only be entered by the person. Call connect with integration "keyed" and show the person the url, or the person enters it at http://localhost:3000.',
    ],
  ])(
    'answers 409 to an integration that is not connected, and says how to connect: %s',
    async (integration, how) => {
      expect(await post(integration, { tool: 'whoami' })).toEqual({
        status: 409,
        body: {
          error: 'NOT_CONNECTED',
          integration,
          tool: `${integration}_whoami`,
          message: expect.stringContaining(`is not connected. ${how}`),
        },
      });
    },
  );

  it('answers 502 to a failed handler, with its message', async () => {
    expect(await post('echo', { tool: 'fail' })).toEqual({
      status: 502,
      body: { error: 'upstream said no', integration: 'echo', tool: 'echo_fail' },
    });
  });

  it("logs a handler's failure as a warning, because the operator need not act", async () => {
    await post('echo', { tool: 'fail', message: 'upstream said never' });
    expect(app.lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        event: 'tool failed',
        integration: 'echo',
        tool: 'echo_fail',
        error: expect.stringContaining('upstream said never'),
      }),
    );
  });

  it('says so when the handler gives no reason', async () => {
    expect(await post('echo', { tool: 'fail', message: '' })).toEqual({
      status: 502,
      body: { error: 'The tool failed without a message', integration: 'echo', tool: 'echo_fail' },
    });
  });
});

describe('POST /rest/:integration, the request body', () => {
  it.each([
    ['an empty body', ''],
    ['white space', ' \n'],
    ['an empty object', '{}'],
    ['args alone', '{"args":{}}'],
  ])('answers 400 to %s, which has no tool', async (_, body) => {
    const { status, body: answer } = await post('time', body);
    expect(status).toBe(400);
    expect(answer.error).toBe('tool: name the tool to run, or send executions for several');
  });

  it('answers 400 to a body that is nested too deeply', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const error = 'The body is nested too deeply';
    expect(await post('time', `{"tool":"now","args":{"x":${deep}}}`)).toEqual({
      status: 400,
      body: { error },
    });
  });

  it('answers 413 to a body of too many values, wherever they occur', async () => {
    const error = `The request body has more than ${BODY_VALUES} values`;
    const zeros = (count: number) => Array.from({ length: count }, () => 0);
    for (const args of [
      zeros(BODY_VALUES),
      { x: zeros(BODY_VALUES) },
      zeros(BODY_VALUES / 2).map(() => []),
    ]) {
      expect(await post('time', JSON.stringify({ tool: 'now', args }))).toEqual({
        status: 413,
        body: { error },
      });
    }
  });

  it('does not count commas and brackets inside strings', async () => {
    const text = '\\",[{'.repeat(BODY_VALUES);
    const { status, body } = await post('time', JSON.stringify({ tool: 'now', args: { text } }));
    expect([status, body.error]).toEqual([400, expect.stringContaining('Unrecognized key')]);
  });

  it('reads an empty body without a content type like an empty object', async () => {
    const { status, body } = await post('time', '', null);
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^tool: /)]);
  });

  it.each([
    ['[]', 'The body must be a JSON object'],
    ['"x"', 'The body must be a JSON object'],
    ['5', 'The body must be a JSON object'],
    ['null', 'The body must be a JSON object'],
    ['{', 'The body is not valid JSON'],
    ['tool=now', 'The body is not valid JSON'],
  ])('answers 400 to %s, and says why', async (body, error) => {
    expect(await post('time', body)).toEqual({ status: 400, body: { error } });
  });

  it('answers 400 to a compressed body, and says how to send it', async () => {
    const response = await app.request('/rest/time', {
      method: 'POST',
      headers: { ...ana.keyHeader, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync('{"tool":"now"}'),
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'The body is not valid JSON: send it uncompressed, without Content-Encoding' },
    ]);
  });

  it.each([
    '{"tool":5}',
    '{"tool":"now","args":[]}',
    '{"tool":"now","args":"x"}',
    '{"tool":null}',
    '{"executions":{}}',
    '{"executions":5}',
    '{"executions":null}',
  ])('answers 400 to %s', async (body) => {
    const { status, body: answer } = await post('time', body);
    expect([status, typeof answer.error]).toEqual([400, 'string']);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/+json',
    'application/vnd.api+jsonx',
    'x-application/vnd.api+json',
    'x',
    null,
  ])('answers 415 to the content type %s', async (contentType) => {
    expect(await post('time', '{"tool":"now"}', contentType)).toEqual({
      status: 415,
      body: { error: expect.stringContaining('application/json') },
    });
  });

  it('answers 415 to a content type without a body', async () => {
    expect((await post('time', '', 'text/plain')).status).toBe(415);
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json ; charset=utf-8',
    'Application/JSON',
    'application/vnd.api+json',
    'application/merge-patch+json',
  ])('accepts the content type %s', async (contentType) => {
    expect((await post('time', '{"tool":"now"}', contentType)).status).toBe(200);
  });

  it.each(['"text":"a","__proto__":{"x":1}', '"args":{"text":"a","__proto__":{"x":1}}'])(
    'treats an argument named __proto__ as an unknown argument: %s',
    async (call) => {
      const { status, body } = await post('echo', `{"tool":"shout",${call}}`);
      expect(status).toBe(400);
      expect(body.error).toContain('__proto__');
    },
  );
});

describe('POST /rest/:integration/:tool', () => {
  const success = (result: unknown) => ({
    status: 200,
    body: { integration: 'echo', tool: 'echo_list_pull_requests', result },
  });
  const RESULT = { owner: 'o', repo: 'r', state: 'open', perPage: 10, page: 1 };

  it('runs the tool of the address with the body as its arguments, by its full name and without the prefix', async () => {
    for (const tool of ['echo_list_pull_requests', 'list_pull_requests'])
      expect(await post(`echo/${tool}`, { owner: 'o', repo: 'r' })).toEqual(success(RESULT));
  });

  it('reads an empty body as no arguments, also without a content type', async () => {
    const nothing = { status: 200, body: { integration: 'echo', tool: 'echo_nothing', result: null } };
    expect(await post('echo/nothing', '', null)).toEqual(nothing);
    expect(await post('echo/nothing', '')).toEqual(nothing);
    expect(await post('echo/nothing', '{}')).toEqual(nothing);
  });

  it.each(['tool', 'args', 'executions'])('takes %s as an argument like any other', async (key) => {
    expect(await post('echo/shout', { text: 'a', [key]: {} })).toEqual({
      status: 400,
      body: { error: `Invalid arguments for shout: Unrecognized key: "${key}" (known: text)` },
    });
  });

  it('takes select in the query, because the body has only arguments', async () => {
    const args = { owner: 'o', repo: 'r' };
    expect(await post('echo/list_pull_requests?select=state', args)).toEqual(success('open'));
    expect((await post('echo/list_pull_requests?select=%5B', args)).status).toBe(400);
  });

  it('fails as the call of one tool does', async () => {
    const same = async (integration: string, tool: string, args: object) => {
      const answer = await post(`${integration}/${tool}`, args);
      expect(answer).toEqual(await post(integration, { tool, args }));
      return answer.status;
    };
    expect(await same('echo', 'shout', { loud: true })).toBe(400);
    expect(await same('vaulted', 'whoami', {})).toBe(409);
    expect(await same('echo', 'fail', {})).toBe(502);
    for (const tool of ['nope', 'vaulted_whoami', 'execute_tools', '__proto__', 'openapi.json'])
      expect(await same('echo', tool, {})).toBe(404);
    expect(await same('nope', 'shout', {})).toBe(404);
  });

  it.each(['[]', '"x"', '5', 'null', '{'])('answers 400 to the body %s', async (body) => {
    const error = body === '{' ? 'The body is not valid JSON' : 'The body must be a JSON object';
    expect(await post('echo/shout', body)).toEqual({ status: 400, body: { error } });
  });

  it('answers 415 to a body that is not JSON', async () => {
    expect((await post('echo/shout', 'text=a', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect((await post('echo/shout', '{"text":"a"}', null)).status).toBe(415);
  });

  it('answers 413 to a body of too many values', async () => {
    const text = `{"text":[${'0,'.repeat(BODY_VALUES)}0]}`;
    expect((await post('echo/shout', text)).status).toBe(413);
  });

  it('needs the credential of /rest', async () => {
    const response = await app.request('/rest/echo/shout', { method: 'POST', body: '{"text":"a"}' });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('resource_metadata='),
    ]);
  });

  it('is audited like every call, and counted under its pattern', async () => {
    await post('echo/shout', { text: 'a' });
    const [newest] = await app.deps.store.audit.list({ user_id: ana.id, limit: 1 });
    expect(newest).toMatchObject({ integration: 'echo', tool: 'shout', action: 'EXECUTE', success: true });
    const metrics = await (await app.request('/metrics')).text();
    expect(metrics).toContain('method="POST",route="/rest/:integration/:tool",status="200"');
  });

  it('does not exist without a name, nor with GET', async () => {
    expect((await post('echo/', {})).status).toBe(404);
    expect((await get('/rest/echo/shout')).status).toBe(404);
  });
});

describe('POST /rest/:integration, a batch', () => {
  it('answers 200 with one item per execution, whatever happened', async () => {
    const executions = [
      { tool: 'shout', args: { text: 'a' } },
      { tool: 'fail', args: {} },
      { tool: 'vaulted_whoami', args: {} },
      { tool: 'echo_text', args: {} },
      { tool: 'nothing' },
    ];
    expect(await post('echo', { executions })).toEqual({
      status: 200,
      body: {
        integration: 'echo',
        results: [
          { result: 'A' },
          { error: 'upstream said no', integration: 'echo' },
          {
            error: 'Tool not found',
            integration: 'echo',
            message: 'There is no tool "vaulted_whoami" in echo. GET /rest/echo lists its tools.',
          },
          { error: 'Invalid arguments', integration: 'echo', message: expect.stringContaining('length') },
          { result: null },
        ],
      },
    });
  });

  it('fails an item that is not an execution, and only that one', async () => {
    const good = { tool: 'shout', args: { text: 'a' } };
    const malformed = [
      5,
      {},
      null,
      [],
      { tool: 5 },
      { tool: 'shout', args: [] },
      { tool: 'shout', text: 'a' },
    ];
    const { status, body } = await post('echo', { executions: [good, ...malformed, good] });
    const failed = { error: 'Invalid arguments', integration: 'echo', message: expect.any(String) };
    expect(status).toBe(200);
    expect(body.results).toEqual([{ result: 'A' }, ...malformed.map(() => failed), { result: 'A' }]);
    expect(body.results[6].message).toContain('expected object, received array');
    expect(body.results[7].message).toBe(
      'Unrecognized key: "text" (known: tool, args, select, account, key)',
    );
  });

  it('answers NOT_CONNECTED for each item of an integration that is not connected', async () => {
    const { status, body } = await post('vaulted', { executions: [{ tool: 'whoami', args: {} }] });
    expect(status).toBe(200);
    expect(body.results).toEqual([
      { error: 'NOT_CONNECTED', integration: 'vaulted', message: expect.any(String) },
    ]);
  });

  it('runs eight executions at a time', async () => {
    gate.most = 0;
    const { body } = await post('echo', {
      executions: Array.from({ length: 30 }, () => ({ tool: 'wait', args: {} })),
    });
    expect(body.results).toHaveLength(30);
    expect(gate.most).toBe(8);
  });

  it('stops running items when the results exceed the memory budget', async () => {
    const zeros = Array.from({ length: 600_000 }, () => 0);
    let runs = 0;
    const many = tool(
      'many_zeros',
      'Many zeros',
      () => ({}),
      () => (runs++, zeros),
    );
    const about = { version: '1', displayName: 'Many', description: '', categories: [], logo: null };
    const integrations = [
      defineIntegration({ ...about, name: 'many', auth: { type: 'none' }, tools: [many] }),
    ];
    const other = await createTestApp({ ports: { integrations } });
    const executions = Array.from({ length: 40 }, () => ({ tool: 'zeros' }));
    const response = await other.request('/rest/many', {
      method: 'POST',
      headers: { ...(await other.user()).keyHeader, 'content-type': 'application/json' },
      body: JSON.stringify({ executions }),
    });
    const { results } = await response.json();
    await other.close();
    expect(response.status).toBe(200);
    expect(results.filter(({ result }: { result?: unknown }) => result !== undefined)).toHaveLength(runs);
    expect(runs).toBeLessThan(20);
    expect(results[39]).toEqual({ error: TOO_MUCH, integration: 'many' });
  });
});
