// Tests that a 403 against the credential turns the status as a 401 does, and a 403 about a limit does not. reference: Status of a connection
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { serve } from '../../adapters/node/server.ts';
import { PERSONAL_KEY } from '../../src/kit/actor.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { call } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

const LIMITED = 'API rate limit exceeded for user ID 7.';
const SECONDARY = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
const INVALID = { status: 403, body: { status: 403, err: 'Invalid token' } };
const FIGMA_ANN = { body: { id: '7', handle: 'ann', email: 'ann@example.com' } };

let app: TestApp;
let ana: TestUser;
let server: HttpServer;
let seen: string[];
let answer: (request: IncomingMessage) => Reply;

beforeEach(async () => {
  seen = [];
  server = await startHttpServer((request, response) => {
    seen.push(String(request.url));
    const { status = 200, headers = {}, body } = answer(request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  const at = `http://127.0.0.1:${server.port}`;
  const origins = ['https://api.figma.com', 'https://api.datadoghq.com', 'https://api.github.com'];
  app = await createTestApp({ env: { UPSTREAM_MAP: origins.map((origin) => `${origin}=${at}`).join() } });
  ana = await app.user();
});
afterEach(async () => {
  await app.close();
  await server.close();
});

async function api(method: string, path: string, body?: object) {
  const response = await app.request(path, {
    method,
    headers: { ...ana.keyHeader, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}
const enter = (integration: string, values: Record<string, string>) =>
  api('POST', `/api/auth/apikey/${integration}`, { values });
const use = async (tool: string, args: object = {}) =>
  (await call(app, ana.keyHeader, 'execute_tools', { executions: [{ tool, args }] })).results[0];
const stateOf = async (name: string) =>
  (await api('GET', '/api/connections')).connections.find((one: { name: string }) => one.name === name);

async function enterFigma(): Promise<void> {
  answer = () => FIGMA_ANN;
  expect(await enter('figma', { token: 'figd_secret' })).toMatchObject({ status: 'ok' });
}

async function enterGitHub(): Promise<void> {
  answer = () => ({ body: { id: 7, login: 'ann' } });
  expect(await enter('github', { token: 'ghp_secret' })).toMatchObject({ status: 'ok' });
  seen = [];
}

describe('a token that its provider refuses with 403', () => {
  it('turns the status with the first call, whose error has the link', async () => {
    await enterFigma();
    answer = () => INVALID;
    expect(await use('figma_whoami')).toMatchObject({
      error: expect.stringContaining('403: '),
      message: expect.stringContaining('/integrations/figma'),
    });
    expect(await stateOf('figma')).toMatchObject({
      status: 'reconnect',
      cause: 'Figma answered 403: Invalid token',
    });
  });

  it('turns the status where the manifest says that the probe refuses with 403', async () => {
    answer = () => ({ body: { valid: true } });
    expect(await enter('datadog', { apiKey: 'a', applicationKey: 'b', site: 'datadoghq.com' })).toMatchObject(
      {
        status: 'ok',
      },
    );
    answer = () => ({ status: 403, body: { errors: ['Forbidden'] } });
    expect((await use('datadog_list_monitors')).message).toContain('/integrations/datadog');
    expect(await stateOf('datadog')).toMatchObject({ status: 'reconnect' });
  });

  it('stays ok where only one place refuses, and is probed five times a minute at most', async () => {
    await enterFigma();
    answer = ({ url }) => (url === '/v1/me' ? FIGMA_ANN : INVALID);
    const count = () => seen.filter((url) => url === '/v1/me').length;
    const before = count();
    for (let n = 0; n < 8; n++)
      expect((await use('figma_get_file', { fileKey: 'k' })).message).toBeUndefined();
    expect(count() - before).toBe(5);
    expect(await stateOf('figma')).toMatchObject({ status: 'ok' });
    app.clock.advance(61);
    await use('figma_get_file', { fileKey: 'k' });
    expect(count() - before).toBe(6);
  });

  it('turns the status at /c too, where the caller gets the refusal whole', async () => {
    await enterFigma();
    answer = () => INVALID;
    const [status, text] = await raw('figma', '/v1/files/k');
    expect([status, JSON.parse(String(text))]).toEqual([403, INVALID.body]);
    await expect.poll(async () => (await stateOf('figma')).status).toBe('reconnect');
  });
});

describe('a 403 that is not about the credential', () => {
  it.each<[string, Reply, RegExp]>([
    [
      'a used-up limit',
      {
        status: 403,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1800000000' },
        body: { message: LIMITED },
      },
      /try again after Fri, 15 Jan 2027 08:00:00 GMT/,
    ],
    [
      'a secondary limit',
      { status: 403, headers: { 'retry-after': '30' }, body: { message: SECONDARY } },
      /try again in 30 seconds/,
    ],
    [
      'a secondary limit without a time',
      { status: 403, body: { message: SECONDARY } },
      /try again in 60 seconds/,
    ],
    [
      'a limit whose words name a token',
      { status: 403, headers: { 'retry-after': '9' }, body: { message: 'Invalid token rate' } },
      /try again in 9 seconds/,
    ],
    [
      'a missing permission',
      { status: 403, body: { message: 'Resource not accessible by personal access token' } },
      /not accessible/,
    ],
    ['a refusal without such words', { status: 403, body: { message: 'Forbidden' } }, /Forbidden/],
  ])('is followed by no probe and leaves the status: %s', async (_, reply, words) => {
    await enterGitHub();
    answer = () => reply;
    const outcome = await use('github_list_issues', { owner: 'a', repo: 'b' });
    expect([outcome.error, outcome.message]).toEqual([expect.stringMatching(words), undefined]);
    await raw('github', '/repos/a/b');
    expect(await stateOf('github')).toMatchObject({ status: 'ok' });
    expect(seen.filter((url) => url === '/user')).toEqual([]);
  });
});

async function raw(integration: string, path: string) {
  const proxy = createCurlProxy(app.deps);
  const gateway = await serve(app.fetch, { ...NO_HANDLERS, proxy, clock: app.clock }, 0);
  const grant = { userId: ana.id, actor: PERSONAL_KEY, integrations: [integration] };
  const authorization = `Bearer ${await app.deps.curlTokens.issue(grant, 900)}`;
  const response = await fetch(`http://127.0.0.1:${gateway.port}/c/${integration}${path}`, {
    headers: { authorization },
  });
  const answered = [response.status, await response.text()];
  await gateway.stop();
  await proxy.close();
  return answered;
}
