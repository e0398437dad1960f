// Tests raw requests that a person has to approve: exactly the request that they were shown runs, once.
// reference: Approvals; decision: 038
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { serve } from '../../adapters/node/server.ts';
import { UNSEEN } from '../../src/connections/model/state.ts';
import { PERSONAL_KEY, type Rule } from '../../src/kit/actor.ts';
import { placeOfApproval } from '../../src/policy/model/approvals.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { bearer, openStage, type Stage } from '../support/proxy-stage.ts';
import { sendRaw } from '../support/raw-http.ts';
import { approvalsOf, approve, auditOf, deny, putRules } from '../support/raw-policy.ts';

const KIBIBYTE = 1024;
const ASKS: Rule[] = [{ integration: 'vaulted', decision: 'ask' }];
const JSON_TYPE = { 'content-type': 'application/json' };

interface Call {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: NonNullable<RequestInit['body']> | (() => ReadableStream);
}

let stage: Stage;
/** The bodies that reached the upstream, in order. */
let bodies: string[];
let paths = 0;

beforeAll(async () => {
  stage = await openStage({ clock: 'real' });
});
beforeEach(async () => {
  stage.seen.length = 0;
  bodies = [];
  stage.answer(async (incoming, outgoing) => {
    bodies.push(await text(incoming));
    outgoing.end('done');
  });
  await putRules(stage, ASKS);
});
afterAll(() => stage.close());

/** A path that no other test has used. */
const newPath = (): string => `/c/vaulted/items/${++paths}`;

async function send({ method = 'POST', path = '/c/vaulted/x', headers = {}, body }: Call) {
  const sent =
    typeof body === 'function'
      ? { body: body(), duplex: 'half' as const }
      : body === undefined
        ? {}
        : { body };
  const response = await stage.get(path, { method, headers, ...sent });
  const answer = await response.text();
  return { status: response.status, body: answer.startsWith('{') ? JSON.parse(answer) : answer };
}

/** Sends a call that a person has to be asked about, and returns the id of the question. */
async function ask(call: Call): Promise<string> {
  const { status, body } = await send(call);
  expect([status, body.error]).toEqual([403, 'APPROVAL_REQUIRED']);
  return body.approval.id;
}

/** What the person is shown. */
async function shown(id: string): Promise<Record<string, unknown>> {
  const { store, seal } = stage.app.deps;
  const row = await store.approvals.get(stage.ana.id, id);
  return JSON.parse((row?.sealed && (await seal.open(row.sealed, placeOfApproval(row)))) || 'null');
}

const stateOf = async (id: string) => (await stage.app.deps.store.approvals.get(stage.ana.id, id))?.state;

describe('a raw request that a rule asks about', () => {
  it('answers with the question, runs once after a yes, and asks again after that', async () => {
    const call: Call = { path: `${newPath()}?dry=0`, headers: JSON_TYPE, body: '{"name":"ä"}' };
    const first = await send(call);
    const { id } = first.body.approval;
    expect(first).toEqual({
      status: 403,
      body: {
        error: 'APPROVAL_REQUIRED',
        integration: 'vaulted',
        message: expect.stringContaining(`/approvals/${id}`),
        approval: { id, url: expect.stringContaining(`/approvals/${id}`), expiresAt: expect.any(Number) },
      },
    });
    expect((await send(call)).body.approval).toEqual(first.body.approval);
    expect(stage.seen).toEqual([]);
    await approve(stage, id);
    expect(await send(call)).toEqual({ status: 200, body: 'done' });
    expect(bodies).toEqual(['{"name":"ä"}']);
    expect(await stateOf(id)).toBe('done');
    const again = await send(call);
    expect(again.body.approval.id).not.toBe(id);
    expect(again.body.message).toContain('has already run once');
    expect(stage.seen).toHaveLength(1);
  });

  it('is shown with method, path, query, headers and body, and with nothing of the credential', async () => {
    const path = newPath();
    const id = await ask({
      method: 'PUT',
      path: `${path}?a=1&a=%2F`,
      headers: { ...JSON_TYPE, 'X-Mine': 'yes', 'User-Agent': 'test', 'Idempotency-Key': 'k' },
      body: '{"a":1}',
    });
    expect(await shown(id)).toEqual({
      method: 'PUT',
      path: path.slice('/c/vaulted'.length),
      query: '?a=1&a=%2F',
      contentType: 'application/json',
      headers: { 'x-mine': 'yes', 'idempotency-key': 'k' },
      body: '{"a":1}',
      sha256: createHash('sha256').update('{"a":1}').digest('hex'),
    });
    const row = await stage.app.deps.store.approvals.get(stage.ana.id, id);
    expect(row).toMatchObject({
      integration: 'vaulted',
      tool: `PUT ${path.slice('/c/vaulted'.length)}`,
      access: 'write',
      caller: 'key',
    });
  });

  it('shows bytes that are no text as base64, and nothing for a request without a body', async () => {
    const bytes = Buffer.from([0, 1, 255]);
    const binary = await ask({ path: newPath(), body: bytes, headers: { 'content-type': 'image/png' } });
    expect(await shown(binary)).toMatchObject({ body: { base64: 'AAH/', bytes: 3 } });
    const path = newPath();
    const bare = await ask({ method: 'DELETE', path });
    expect(await shown(bare)).toEqual({ method: 'DELETE', path: path.slice('/c/vaulted'.length) });
    const empty = await ask({ path: newPath(), body: '', headers: { 'content-type': 'text/plain' } });
    expect(await shown(empty)).not.toHaveProperty('body');
  });

  it('shows a header whose name is that of a prototype', async () => {
    const head = `POST ${newPath()} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${await stage.token()}\r\nConnection: close\r\n`;
    const ids: string[] = [];
    for (const value of ['1', '2']) {
      const { body } = await sendRaw(
        stage.port,
        `${head}__proto__: ${value}\r\nX-A: ${value}\r\nX-A: b\r\n\r\n`,
      );
      ids.push(JSON.parse(body).approval.id);
    }
    expect(ids[0]).not.toBe(ids[1]);
    expect(JSON.stringify(await shown(ids[0] ?? ''))).toContain('"__proto__":"1"');
    expect(await shown(ids[0] ?? '')).toMatchObject({ headers: { 'x-a': ['1', 'b'] } });
  });

  it('keeps the reason of a no, and does not run', async () => {
    const call: Call = { path: newPath(), headers: JSON_TYPE, body: '{}' };
    await deny(stage, await ask(call), 'use the other project');
    expect(await send(call)).toEqual({
      status: 403,
      body: {
        error: 'DENIED',
        integration: 'vaulted',
        message: expect.stringContaining('use the other project'),
      },
    });
    expect(stage.seen).toEqual([]);
  });

  it('runs any number of times after a yes for an hour', async () => {
    const call: Call = { method: 'DELETE', path: newPath() };
    await approve(stage, await ask(call), 'hour');
    for (let n = 0; n < 3; n++) expect((await send(call)).status).toBe(200);
    expect(stage.seen).toHaveLength(3);
  });

  it('leaves audit rows with the pattern of the path', async () => {
    const dora = await stage.app.user('dora@example.com');
    await stage.app.deps.vault.save(dora.id, 'vaulted', { accessToken: 'hers' });
    await putRules(stage, ASKS, dora.id);
    const headers = bearer(await stage.token({ userId: dora.id }));
    await send({ path: '/c/vaulted/repos/42', headers });
    expect(await auditOf(stage, dora.id)).toMatchObject([
      {
        tool: 'POST /repos/:id',
        action: 'CURL',
        success: false,
        error: 'APPROVAL_REQUIRED',
        outcome: 'asked',
      },
    ]);
  });

  it('leaves no exact path in the audit row when nobody answers', async () => {
    const id = await ask({ path: '/c/vaulted/repos/private-42', method: 'DELETE' });
    const row = await stage.app.deps.store.approvals.get(stage.ana.id, id);
    if (row === null) throw new Error('the question is gone');
    await stage.app.deps.settleApprovals.one(row);
    const audited = (await auditOf(stage, stage.ana.id)).filter(({ outcome }) => outcome === 'expired');
    expect(audited).toMatchObject([{ tool: 'DELETE /repos/:id', action: 'CURL' }]);
  });

  it('is not asked about while nothing is connected', async () => {
    const bea = await stage.app.user('bea@example.com');
    await putRules(stage, ASKS, bea.id);
    const headers = bearer(await stage.token({ userId: bea.id }));
    expect((await send({ headers })).status).toBe(409);
    expect(await stage.app.deps.store.approvals.list({ user_id: bea.id, limit: 1 })).toEqual([]);
  });

  it('notes that an approved call has failed', async () => {
    const refused: Call = { method: 'DELETE', path: newPath() };
    const broken: Call = { method: 'DELETE', path: newPath() };
    const ids = [await ask(refused), await ask(broken)];
    for (const id of ids) await approve(stage, id);
    stage.answer((_, outgoing) => outgoing.writeHead(422).end());
    expect((await send(refused)).status).toBe(422);
    stage.answer((_, outgoing) => outgoing.destroy());
    expect((await send(broken)).status).toBe(502);
    expect(await Promise.all(ids.map(stateOf))).toEqual(['failed', 'failed']);
  });
});

describe('another request than the approved one', () => {
  const path = '/c/vaulted/changed';
  const approved: Call = {
    method: 'PUT',
    path: `${path}?a=1`,
    headers: { ...JSON_TYPE, 'x-mine': '1' },
    body: '{"a":1}',
  };

  it.each<[string, Call]>([
    ['another body', { body: '{"a":2}' }],
    ['a longer body', { body: '{"a":1} ' }],
    ['no body', { body: '' }],
    ['another query', { path: `${path}?a=2` }],
    ['a longer query', { path: `${path}?a=1&b` }],
    ['a query in another spelling', { path: `${path}?a=%31` }],
    ['another path', { path: `${path}/x?a=1` }],
    ['a path in another spelling', { path: '/c/vaulted/change%64?a=1' }],
    ['another method', { method: 'PATCH' }],
    ['another header', { headers: { ...JSON_TYPE, 'x-mine': '2' } }],
    ['a header more', { headers: { ...JSON_TYPE, 'x-mine': '1', 'if-match': '*' } }],
    ['a header less', { headers: JSON_TYPE }],
    ['another type', { headers: { 'content-type': 'text/plain', 'x-mine': '1' } }],
    ['the same path at another integration', { path: '/c/keyed/changed?a=1' }],
  ])('is asked about by itself: %s', async (_name, change) => {
    await putRules(stage, [{ decision: 'ask' }]);
    const id = await ask(approved);
    await approve(stage, id);
    expect(await ask({ ...approved, ...change })).not.toBe(id);
    expect(stage.seen).toEqual([]);
    expect(await stateOf(id)).toBe('approved');
  });

  it.each(['user-agent', 'accept', 'accept-language', 'traceparent', 'x-request-id', 'x-forwarded-for'])(
    'is the same one with another %s',
    async (name) => {
      const call: Call = { ...approved, path: newPath() };
      await approve(stage, await ask({ ...call, headers: { ...call.headers, [name]: 'a' } }));
      expect((await send({ ...call, headers: { ...call.headers, [name]: 'b' } })).status).toBe(200);
    },
  );

  it('is the same one when the body comes in chunks', async () => {
    const call: Call = { ...approved, path: newPath() };
    await approve(stage, await ask(call));
    const body = () => new Blob(['{"a"', ':1}']).stream();
    expect((await send({ ...call, body })).status).toBe(200);
    expect([bodies, stage.seen[0]?.headers['content-length']]).toEqual([['{"a":1}'], '7']);
  });

  it('of another caller is asked about by itself', async () => {
    const call: Call = { ...approved, path: newPath() };
    const id = await ask(call);
    await approve(stage, id);
    const minted = await stage.app.deps.agentKeys.mint(stage.ana.id, {
      name: 'bot',
      limits: {},
      expiresAt: null,
    });
    const identity = await stage.app.deps.agentKeys.verify(minted?.key ?? '');
    const client = { id: 'client:c1', name: null, clientId: 'c1', limits: [] };
    const session = { ...PERSONAL_KEY, id: 'session' };
    for (const actor of [identity?.actor ?? null, client, session]) {
      const headers = { ...call.headers, ...bearer(await stage.token({ actor })) };
      expect(await ask({ ...call, headers })).not.toBe(id);
    }
    const headers = { ...call.headers, ...bearer(await stage.token({ methods: ['PUT'] })) };
    expect((await send({ ...call, headers })).status).toBe(200);
  });

  it('of another account is asked about by itself', async () => {
    const { app, ana } = stage;
    const call: Call = { method: 'DELETE', path: '/c/keyed/account' };
    await putRules(stage, [{ decision: 'ask' }]);
    const id = await ask(call);
    await approve(stage, id);
    await app.deps.vault.save(ana.id, 'keyed', {
      accessToken: '{"apiKey":"k"}',
      config: { region: 'eu', note: 'other' },
    });
    expect(await ask(call)).not.toBe(id);
    expect(stage.seen).toEqual([]);
  });

  it('needs a new yes after the rules have changed', async () => {
    const call: Call = { ...approved, path: newPath() };
    const id = await ask(call);
    await approve(stage, id);
    await putRules(stage, ASKS);
    expect(await ask(call)).not.toBe(id);
  });
});

describe('parallel repeats of an approved request', () => {
  it('reach the upstream once', async () => {
    const call: Call = { path: newPath(), headers: JSON_TYPE, body: '{"once":true}' };
    await approve(stage, await ask(call));
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(call)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === 'APPROVAL_REQUIRED')).toHaveLength(19);
    expect(bodies).toEqual(['{"once":true}']);
  });
});

describe('the body of a request that is asked about', () => {
  const bytes = (size: number) => 'x'.repeat(size);

  it('is refused when it is too large to be shown, with a length or in chunks', async () => {
    const path = newPath();
    const large = bytes(256 * KIBIBYTE + 1);
    for (const body of [large, () => new Blob([large]).stream()])
      expect(await send({ path, body, headers: { 'content-type': 'text/plain' } })).toEqual({
        status: 403,
        body: {
          error: 'BLOCKED',
          integration: 'vaulted',
          message: expect.stringMatching(
            /larger than 256 KiB cannot be shown\. Use a tool of vaulted, with file:/,
          ),
        },
      });
    expect(stage.seen).toEqual([]);
  });

  it('is refused when it is longer as it is shown', async () => {
    const { status, body } = await send({ path: newPath(), body: '"'.repeat(200 * KIBIBYTE) });
    expect([status, body.error, body.message]).toEqual([
      403,
      'BLOCKED',
      expect.stringContaining('cannot be shown'),
    ]);
  });

  it('may be nearly as large as the limit', async () => {
    const call: Call = {
      path: newPath(),
      body: bytes(250 * KIBIBYTE),
      headers: { 'content-type': 'text/plain' },
    };
    await approve(stage, await ask(call));
    expect((await send(call)).status).toBe(200);
    expect(bodies[0]).toHaveLength(250 * KIBIBYTE);
  });

  it('is refused when it is compressed, because nobody could read it', async () => {
    const { status, body } = await send({
      path: newPath(),
      body: 'x',
      headers: { 'content-encoding': 'gzip' },
    });
    expect([status, body.error, body.message]).toEqual([
      403,
      'BLOCKED',
      expect.stringContaining('Content-Encoding'),
    ]);
  });

  it('is asked for with a 100 after the checks, and not when it is too large', async () => {
    const authorization = `Authorization: Bearer ${await stage.token()}`;
    const head = (length: number) =>
      `POST ${newPath()} HTTP/1.1\r\nHost: g\r\n${authorization}\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
    const asked = await sendRaw(stage.port, `${head(5)}hello`);
    expect(asked.head).toMatch(/^HTTP\/1\.1 100 Continue/);
    expect(asked.body).toMatch(/^HTTP\/1\.1 403[^]*APPROVAL_REQUIRED/);
    const refused = await sendRaw(stage.port, head(256 * KIBIBYTE + 1));
    expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('BLOCKED')]);
  });

  it('asks nothing when its caller leaves before its end', async () => {
    const before = (await approvalsOf(stage)).length;
    const leaving = new AbortController();
    const begun = Promise.withResolvers<void>();
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(10));
        begun.resolve();
        return new Promise(() => {});
      },
    });
    const headers = bearer(await stage.token());
    const init = { method: 'POST', body, duplex: 'half' as const, headers, signal: leaving.signal };
    const call = fetch(`${stage.base}${newPath()}`, init);
    await begun.promise;
    leaving.abort();
    await expect(call).rejects.toThrow();
    expect((await send({ path: newPath(), method: 'DELETE' })).status).toBe(403);
    expect(await approvalsOf(stage)).toHaveLength(before + 1);
  });

  it('may belong to a GET', async () => {
    const text = async () =>
      `GET /c/vaulted/get-body HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${await stage.token()}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n`;
    const first = await sendRaw(stage.port, `${await text()}{}`);
    await approve(stage, JSON.parse(first.body).approval.id);
    expect((await sendRaw(stage.port, `${await text()}[]`)).status).toBe(403);
    expect((await sendRaw(stage.port, `${await text()}{}`)).status).toBe(200);
    expect(bodies).toEqual(['{}']);
  });
});

describe('other methods that are asked about', () => {
  it('are HEAD and OPTIONS too', async () => {
    for (const method of ['HEAD', 'OPTIONS']) {
      const path = newPath();
      const before = await stage.get(path, { method });
      expect(before.status).toBe(403);
      const tool = `${method} ${path.slice('/c/vaulted'.length)}`;
      const question = (await approvalsOf(stage)).find((each) => each.tool === tool);
      expect(question?.access).toBe('read');
      await approve(stage, question?.id ?? '');
      expect((await stage.get(path, { method })).status).toBe(200);
      expect(stage.seen.at(-1)?.method).toBe(method);
    }
  });

  it('run as they are without a rule that asks', async () => {
    await putRules(stage, [{ access: 'destroy', decision: 'ask' }]);
    expect((await send({ method: 'GET' })).status).toBe(200);
    expect((await send({ headers: JSON_TYPE, body: '{}' })).status).toBe(200);
    await ask({ method: 'DELETE', path: newPath() });
    const id = await ask({
      path: newPath(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '_method=delete',
    });
    expect((await stage.app.deps.store.approvals.get(stage.ana.id, id))?.access).toBe('destroy');
  });

  it('lose the headers that name another request', async () => {
    const headers = { 'x-http-method-override': 'DELETE', 'x-original-url': '/admin' };
    const id = await ask({ method: 'GET', path: newPath(), headers });
    expect(await shown(id)).not.toHaveProperty('headers');
  });
});

describe('an approved request', () => {
  beforeEach(async () => {
    const { app, ana } = stage;
    await app.deps.vault.save(ana.id, 'vaulted', { accessToken: 'upstream-token' });
  });

  it('runs to its answer when its caller leaves, so that its outcome is known', async () => {
    const call: Call = { path: newPath(), headers: JSON_TYPE, body: '{}' };
    const id = await ask(call);
    await approve(stage, id);
    const arrived = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    stage.answer(async (_, outgoing) => {
      arrived.resolve();
      await left.promise;
      outgoing.end('done');
    });
    const proxy = createCurlProxy(stage.app.deps);
    const takes: typeof proxy.takes = (incoming, outgoing, continues) => {
      outgoing.once('close', () => left.resolve());
      return proxy.takes(incoming, outgoing, continues);
    };
    const server = await serve(() => new Response(), { ...NO_HANDLERS, proxy: { takes } }, 0);
    const leaving = new AbortController();
    const headers = { ...JSON_TYPE, ...bearer(await stage.token()) };
    const init = { method: 'POST', body: '{}', headers, signal: leaving.signal };
    const running = fetch(`http://127.0.0.1:${server.port}${call.path}`, init);
    await arrived.promise;
    leaving.abort();
    await expect(running).rejects.toThrow();
    await expect.poll(() => stateOf(id)).toBe('done');
    await server.stop();
    await proxy.close();
  });

  it('is repeated with a new token after a 401, when it has no body', async () => {
    const { app, ana } = stage;
    await app.deps.vault.save(ana.id, 'vaulted', { accessToken: 'stale', refreshToken: 'r' });
    stage.answer((incoming, outgoing) => {
      if (incoming.url === '/token')
        return outgoing
          .setHeader('content-type', 'application/json')
          .end('{"access_token":"upstream-token","refresh_token":"r2"}');
      return outgoing
        .writeHead(incoming.headers.authorization === 'Bearer upstream-token' ? 200 : 401)
        .end('x');
    });
    const call: Call = { method: 'DELETE', path: newPath() };
    const id = await ask(call);
    await approve(stage, id);
    expect((await send(call)).status).toBe(200);
    expect(stage.seen.map(({ method }) => method)).toEqual(['DELETE', 'POST', 'DELETE']);
    expect(await stateOf(id)).toBe('done');
  });

  it('does not run with the account of a sign-in that came meanwhile', async () => {
    const { app, ana } = stage;
    await app.deps.vault.save(ana.id, 'vaulted', { accessToken: 'stale', refreshToken: 'r' });
    const call: Call = { method: 'DELETE', path: newPath() };
    const id = await ask(call);
    await approve(stage, id);
    stage.answer(async (incoming, outgoing) => {
      if (incoming.headers.authorization !== 'Bearer stale') return outgoing.end('x');
      await app.deps.vault.save(ana.id, 'vaulted', {
        accessToken: 'of-another',
        refreshToken: 'r2',
        state: { ...UNSEEN, account_id: 'another', account_label: 'Another' },
      });
      return outgoing.writeHead(401).end('x');
    });
    expect((await send(call)).status).toBe(401);
    expect(stage.seen.map(({ headers }) => headers.authorization)).not.toContain('Bearer of-another');
    expect(await stateOf(id)).toBe('failed');
  });
});
