// Tests where the gateway looks for the authorization server of an MCP server, document by document. reference: Sign-in to imports
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createEgress } from '../../src/egress/door.ts';
import { findAuthorizationServer } from '../../src/imports/oauth/authorization.ts';
import { readChallenge } from '../../src/imports/oauth/challenge.ts';
import { isServerIn } from '../../src/imports/oauth/metadata.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';

type Answer = object | string | number | { location: string };

let server: HttpServer;
let origin: string;
let answers: Record<string, Answer>;
let challenge: string | null;
let asked: string[];

beforeAll(async () => {
  server = await startHttpServer((request, response) => {
    const path = request.url ?? '';
    asked.push(`${request.method} ${path}`);
    if (request.method === 'POST') {
      if (challenge !== null) response.setHeader('www-authenticate', challenge);
      return void response.writeHead(challenge === null ? 200 : 401).end('{}');
    }
    const answer = answers[path] ?? 404;
    if (typeof answer === 'number') return void response.writeHead(answer).end();
    if (typeof answer === 'string') return void response.writeHead(200).end(answer);
    if ('location' in answer) return void response.writeHead(302, { ...answer }).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  origin = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  answers = {};
  challenge = 'Bearer';
  asked = [];
});

const egress = createEgress({
  clock: createSystemClock(),
  config: { EGRESS_ALLOW: [], UPSTREAM_MAP: [], loopback: true },
  network: createUndiciNetwork(),
});
const find = (path = '/mcp', preferred: string | null = null) =>
  findAuthorizationServer(egress, `${origin}${path}`, 'Remote', preferred);

const metadata = (issuer: string, changes: object = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  code_challenge_methods_supported: ['S256'],
  ...changes,
});
const resource = (changes: object = {}) => ({
  resource: `${origin}/mcp`,
  authorization_servers: [`${origin}/as`],
  ...changes,
});
const SERVER = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';
const RESOURCE = '/.well-known/oauth-protected-resource';

describe('the metadata of a server', () => {
  it('is read where the challenge says, else below the path, else at the root', async () => {
    answers[`${SERVER}/as`] = metadata(`${origin}/as`);
    for (const place of ['/elsewhere.json', `${RESOURCE}/mcp`, RESOURCE]) {
      for (const each of ['/elsewhere.json', `${RESOURCE}/mcp`, RESOURCE]) delete answers[each];
      answers[place] = resource();
      challenge = place === '/elsewhere.json' ? `Bearer resource_metadata="${origin}${place}"` : 'Bearer';
      expect(await find()).toMatchObject({
        ok: true,
        value: { issuer: `${origin}/as`, resource: `${origin}/mcp` },
      });
    }
  });

  it('is looked for in three places of the issuer, in the order of the specification', async () => {
    answers[`${RESOURCE}/mcp`] = resource();
    const places = [`${SERVER}/as`, `${OPENID}/as`, `/as${OPENID}`];
    for (const [index, place] of places.entries()) {
      for (const each of places) delete answers[each];
      answers[place] = metadata(`${origin}/as`);
      asked = [];
      expect((await find()).ok).toBe(true);
      expect(asked.slice(2)).toEqual(places.slice(0, index + 1).map((each) => `GET ${each}`));
    }
  });

  it('is not that of another path, whose issuer differs', async () => {
    answers[`${RESOURCE}/mcp`] = resource();
    // A server that ignores the path answers with its own.
    answers[`${SERVER}/as`] = metadata(origin);
    expect(await find()).toMatchObject({ ok: false, message: expect.stringContaining('calls itself') });
    answers[`/as${OPENID}`] = metadata(`${origin}/as`);
    expect(await find()).toMatchObject({ ok: true, value: { issuer: `${origin}/as` } });
  });

  it('may be listed with a slash at its end, and with nothing else that differs', async () => {
    answers[SERVER] = metadata(origin);
    answers[`${RESOURCE}/mcp`] = resource({ authorization_servers: [`${origin}/`] });
    expect(await find()).toMatchObject({ ok: true, value: { issuer: origin } });
    answers[SERVER] = metadata(`${origin}/`);
    answers[`${RESOURCE}/mcp`] = resource({ authorization_servers: [origin] });
    expect((await find()).ok).toBe(false);
    answers[SERVER] = metadata(origin.replace('http', 'HTTP'));
    expect((await find()).ok).toBe(false);
  });

  it('of the former provider is chosen where a server lists several', async () => {
    answers[`${RESOURCE}/mcp`] = resource({ authorization_servers: [`${origin}/new`, `${origin}/as`] });
    answers[`${SERVER}/as`] = metadata(`${origin}/as`);
    answers[`${SERVER}/new`] = metadata(`${origin}/new`);
    expect(await find()).toMatchObject({ value: { issuer: `${origin}/new` } });
    expect(await find('/mcp', `${origin}/as`)).toMatchObject({ value: { issuer: `${origin}/as` } });
    expect(await find('/mcp', `${origin}/gone`)).toMatchObject({ value: { issuer: `${origin}/new` } });
  });

  it('is not read behind a redirect, which anybody on a host may make', async () => {
    answers['/trap.json'] = resource();
    answers[`${RESOURCE}/mcp`] = { location: '/trap.json' };
    answers[`${SERVER}/as`] = metadata(`${origin}/as`);
    expect(await find()).toMatchObject({ ok: true, value: { issuer: origin } });
    expect(asked).not.toContain('GET /trap.json');
  });

  it('may be a page, which is no metadata', async () => {
    for (const path of [`${RESOURCE}/mcp`, RESOURCE, SERVER, OPENID]) answers[path] = '<!doctype html>';
    expect(await find()).toMatchObject({ ok: true, value: { authorizeUrl: `${origin}/authorize` } });
  });

  it('may not be larger than a mebibyte, nor nested without end', async () => {
    answers[`${RESOURCE}/mcp`] = 'x'.repeat(1024 * 1024 + 1);
    expect(await find()).toMatchObject({ ok: false, message: expect.stringContaining('larger') });
    answers[`${RESOURCE}/mcp`] = '['.repeat(10_000);
    answers[SERVER] = metadata(origin);
    expect((await find()).ok).toBe(true);
  });
});

describe('a server without resource metadata', () => {
  it('is its own authorization server, with metadata at its origin', async () => {
    answers[SERVER] = metadata(origin, { registration_endpoint: `${origin}/reg` });
    expect(await find()).toMatchObject({
      ok: true,
      value: { issuer: origin, registerUrl: `${origin}/reg`, resource: `${origin}/mcp` },
    });
  });

  it('has the default paths without metadata', async () => {
    expect(await find('/')).toEqual({
      ok: true,
      value: {
        issuer: origin,
        authorizeUrl: `${origin}/authorize`,
        tokenUrl: `${origin}/token`,
        registerUrl: `${origin}/register`,
        revokeUrl: null,
        sendsIssuer: false,
        takesDocuments: false,
        clientAuth: null,
        resource: origin,
        neededScopes: [],
        offeredScopes: [],
        offersOffline: false,
        isGuess: true,
      },
    });
  });

  it('that asks for nothing needs no sign-in', async () => {
    challenge = null;
    expect(await find()).toMatchObject({ ok: false, message: expect.stringContaining('does not ask') });
  });

  it('is asked seven times at most, with its provider', async () => {
    answers[RESOURCE] = resource();
    challenge = `Bearer resource_metadata="${origin}/none"`;
    expect(await find()).toMatchObject({ ok: false, message: expect.stringContaining('publishes nothing') });
    expect(asked).toHaveLength(7);
  });
});

describe('the name of a resource', () => {
  it.each([
    ['https://a.example/mcp', 'https://a.example/mcp', true],
    ['https://a.example', 'https://a.example/mcp', true],
    ['https://a.example/', 'https://a.example/mcp', true],
    ['https://A.example/mcp/', 'https://a.example/mcp', true],
    ['https://a.example/mcp', 'https://a.example/mcp/deep?x=1', true],
    ['https://a.example/mcp?x=1', 'https://a.example/mcp?x=1', true],
    ['https://a.example/mcp?x=2', 'https://a.example/mcp?x=1', false],
    ['https://a.example/mc', 'https://a.example/mcp', false],
    ['https://a.example/mcp/deep', 'https://a.example/mcp', false],
    ['https://a.example:8443/mcp', 'https://a.example/mcp', false],
    ['http://a.example/mcp', 'https://a.example/mcp', false],
    ['https://a.example.evil/mcp', 'https://a.example/mcp', false],
    ['https://a.example/mcp#x', 'https://a.example/mcp', false],
    ['mcp', 'https://a.example/mcp', false],
  ])('%s covers %s: %s', (name, address, isCovered) => {
    expect(isServerIn(name, new URL(address))).toBe(isCovered);
  });
});

describe('a challenge', () => {
  it.each([
    [null, undefined, []],
    ['Basic realm="x", scope="a"', undefined, []],
    ['Bearer', undefined, []],
    ['bearer resource_metadata=https://a.example/x, scope="a b"', 'https://a.example/x', ['a', 'b']],
    ['Basic realm="x", Bearer realm="y", resource_metadata="https://a.example/x"', 'https://a.example/x', []],
    ['Bearer scope="a  b a", Bearer scope="c"', undefined, ['a', 'b']],
    ['Bearer scope="a \\"b"', undefined, ['a']],
  ])('%s is read', (header, resourceMetadata, scopes) => {
    expect(readChallenge(header)).toMatchObject({ resourceMetadata, scopes });
  });

  it('of any length is read in no time', () => {
    const header = `Bearer ${'a="\\'.repeat(50_000)}`;
    expect(readChallenge(header).scopes).toEqual([]);
  });
});
