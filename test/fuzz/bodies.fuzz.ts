// Checks that mutated request bodies get a specified answer on every surface, and never a 500.
import { describe, expect, it } from 'vitest';
import { fuzz } from './chance.ts';
import { mutateJson, mutateText } from './mutate.ts';
import { expectSound, useStand } from './stand.ts';

const stand = useStand();
const ROUNDS = 700;
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const tool = (name: string, args: object) => rpc('tools/call', { name, arguments: args });
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const JSON_BODIES: Record<string, readonly string[]> = {
  '/mcp': [
    rpc('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    }),
    rpc('tools/list', { _meta: MODERN }),
    tool('search_tools', { query: 'pull request' }),
    tool('get_tool_schema', { tool: 'time_now' }),
    tool('execute_tools', {
      executions: [
        { tool: 'shout', args: { text: 'a' } },
        { tool: 'time_now', args: {} },
      ],
    }),
    tool('curl_session', { integrations: ['github'], ttlSeconds: 60, methods: ['GET'], pathPrefix: '/a' }),
    tool('read_result', { handle: 'x', path: '/a/0', offset: 1, limit: 2 }),
    tool('connect', { integration: 'github' }),
  ],
  '/rest/echo': [
    '{"tool":"shout","args":{"text":"a"}}',
    '{"tool":"list_pull_requests","owner":"a","repo":"b","state":"open","perPage":3}',
    '{"executions":[{"tool":"shout","args":{"text":"a"}},{"tool":"echo_fail","args":{}}]}',
  ],
  '/register': ['{"client_name":"x","redirect_uris":["http://127.0.0.1/cb","cursor://a/b"]}'],
  '/api/auth/apikey/keyed': ['{"values":{"region":"eu","apiKey":"k","note":"n"}}'],
  '/api/connect/redeem': ['{"token":"a.b.c","instanceUrl":"https://a.example"}'],
};

async function post(path: string, headers: Record<string, string>, body: string): Promise<Response> {
  const response = await stand.app.request(path, {
    method: 'POST',
    headers: { ...stand.ana.keyHeader, ...headers },
    body,
  });
  expectSound(response, { path, body });
  return response;
}

describe('mutated JSON', () => {
  it.each(Object.keys(JSON_BODIES))('at %s', async (path) => {
    await fuzz(ROUNDS, async (chance) => {
      const good = chance.pick(JSON_BODIES[path] ?? []);
      const body = chance.pick([mutateJson, mutateText])(good, chance);
      const text = await (await post(path, JSON_TYPE, body)).text();
      if (text !== '') expect(() => JSON.parse(text)).not.toThrow();
    });
  });

  it('at /mcp keeps to the shapes of JSON-RPC', async () => {
    await fuzz(ROUNDS, async (chance) => {
      const response = await post(
        '/mcp',
        JSON_TYPE,
        mutateJson(chance.pick(JSON_BODIES['/mcp'] ?? []), chance),
      );
      const text = await response.text();
      if (response.status === 202) return expect(text).toBe('');
      const answer = JSON.parse(text);
      expect(answer.jsonrpc).toBe('2.0');
      return expect('result' in answer).toBe(!('error' in answer));
    });
  });
});

describe('mutated forms', () => {
  const code = 'a'.repeat(64);
  it.each([
    [
      '/token',
      `grant_type=authorization_code&code=${code}&client_id=x&redirect_uri=http://127.0.0.1/&code_verifier=y`,
    ],
    ['/token', `grant_type=refresh_token&refresh_token=${code}&client_id=x`],
    ['/j/none/__auth', 'password=secret'],
  ])('at %s', async (path, good) => {
    await fuzz(ROUNDS, async (chance) => {
      const response = await post(path, FORM_TYPE, mutateText(good, chance));
      expect([400, 401, 404, 413, 415]).toContain(response.status);
      expect(await response.text()).not.toContain('access_token');
    });
  });
});
