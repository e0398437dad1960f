// Tests the arguments and results that are kept of calls, and who may open a call. reference: Call details; decision: 040
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  CALL_ARGUMENT_CHARACTERS,
  CALL_DETAILS_PER_PERSON,
  CALL_DETAILS_SECONDS,
  CALL_DETAILS_WAITING,
  CALL_DETAILS_WAITING_PER_PERSON,
  CALL_DETAILS_WRITE_MS,
  CALL_RESULT_CHARACTERS,
} from '../../src/record/model/limits.ts';
import { copyValue, withoutCredential } from '../../src/record/details/copy.ts';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { UpstreamError } from '../../src/kit/payload.ts';
import { smallWorld } from '../support/fixtures.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { makeKey, run, send, setRules } from '../support/policy.ts';
import { createTestApp, type Options, type TestApp, type TestUser } from '../support/test-app.ts';

const signer = defineIntegration({
  version: '1.0.0',
  description: 'Answers with whatever it is given',
  categories: ['test'],
  name: 'signer',
  displayName: 'Signer',
  logo: null,
  auth: { type: 'none' },
  tools: [
    tool(
      'signer_give_back',
      'Gives its arguments back',
      () => ({ given: z.unknown(), password: z.string().optional() }),
      (args) => args,
    ),
    tool(
      'signer_fail',
      'Fails as a service does',
      () => ({}),
      () => {
        throw new UpstreamError(500, { error: 'internal', trace: 'T-9', key: 'hunter2' });
      },
    ),
  ],
});

let app: TestApp;
let ana: TestUser;

async function start(options: Options = {}): Promise<void> {
  app = await createTestApp({
    ...options,
    ports: { integrations: [...smallWorld, signer], ...options.ports },
  });
  ana = await app.user();
}
/** Starts the gateway anew with other settings. */
async function restart(options: Options): Promise<void> {
  await app.close();
  await start(options);
}
beforeEach(() => start({ env: PROVIDER }));
afterEach(() => app.close());

async function newest(of: TestUser = ana): Promise<number> {
  await app.deps.audit.flush();
  await app.deps.callDetails.flush();
  const { body } = await send(app, of.sessionHeader, 'GET', '/api/audit');
  return body.entries[0].id;
}

async function openCall(id: number | string, headers: Record<string, string> = ana.sessionHeader) {
  return send(app, headers, 'GET', `/api/calls/${id}`);
}

const openNewest = async () => (await openCall(await newest())).body;

const storedTexts = async () =>
  (await app.deps.store.callDetails.page(null, 1000)).map(({ sealed }) => sealed).join('\n');

describe('a call that is opened', () => {
  it('has its audit row, its arguments and its result, over MCP and REST', async () => {
    await run(app, ana.keyHeader, 'shout', { text: 'hello' });
    const first = await openNewest();
    expect(first).toMatchObject({
      tool: 'shout',
      integration: 'echo',
      outcome: 'ok',
      actor: 'key',
      request_id: expect.any(String),
      status: null,
      details: {
        state: 'kept',
        args: { value: { text: 'hello' }, isCut: false, withheld: [] },
        result: { value: 'HELLO', isCut: false, withheld: [] },
        select: null,
        expiresAt: app.clock.now() + CALL_DETAILS_SECONDS,
      },
    });
    const args = { owner: 'a', repo: 'b' };
    await send(app, ana.sessionHeader, 'POST', '/rest/echo', {
      tool: 'echo_list_pull_requests',
      args,
      select: 'repo',
    });
    const second = await openNewest();
    expect(second).toMatchObject({ actor: 'session', tool: 'echo_list_pull_requests' });
    expect(second.details).toMatchObject({ args: { value: args }, result: { value: 'b' }, select: 'repo' });
    expect(second).not.toHaveProperty('user');
  });

  it('has no result where the call failed, and its arguments also where nothing ran', async () => {
    await run(app, ana.keyHeader, 'echo_fail', { message: 'no' });
    expect(await openNewest()).toMatchObject({ error: 'no', details: { state: 'kept', result: null } });
    await run(app, ana.keyHeader, 'shout', { wrong: 1 });
    expect((await openNewest()).details).toMatchObject({ args: { value: { wrong: 1 } }, result: null });
    await setRules(app, ana, [{ tool: 'shout', decision: 'block' }]);
    await run(app, ana.keyHeader, 'shout', { text: 'blocked' });
    expect(await openNewest()).toMatchObject({
      outcome: 'blocked',
      details: { args: { value: { text: 'blocked' } }, result: null },
    });
  });

  it('has the last status of the provider, and nothing of the credential that the provider repeats', async () => {
    const secret = 'an-api-key-of-ana';
    const upstream = await startHttpServer((_, outgoing) => {
      outgoing.writeHead(203, { 'content-type': 'text/plain' }).end(`you sent ${secret}`);
    });
    try {
      await restart({
        env: { ...PROVIDER, UPSTREAM_MAP: `https://eu.keyed.example=http://127.0.0.1:${upstream.port}` },
      });
      const values = { region: 'eu', apiKey: secret, appKey: 'x' };
      await send(app, ana.sessionHeader, 'POST', '/api/auth/apikey/keyed', { values });
      await run(app, ana.keyHeader, 'keyed_get', { path: '/x' });
      const opened = await openNewest();
      expect(opened.status).toBe(203);
      expect(opened.details.result.value).toStrictEqual({ status: 203, body: 'you sent …' });
    } finally {
      await upstream.close();
    }
  });

  it('is only its person’s, and administrators see it without arguments and result', async () => {
    await run(app, ana.keyHeader, 'shout', { text: 'for ana alone' });
    const id = await newest();
    const ben = await app.user('ben@example.com');
    const none = await openCall(999_999, ben.sessionHeader);
    expect(none.status).toBe(404);
    for (const wrong of [id, 0, -1, '1e3', 'x', `0${id}`, '9'.repeat(30), '%00', `${id}.0`])
      expect(await openCall(wrong, ben.sessionHeader)).toStrictEqual(none);
    expect((await openCall(id, {})).status).toBe(401);
    const key = await makeKey(app, ana);
    expect((await openCall(id, key.header)).status).toBe(403);
    expect((await openCall(id, ana.keyHeader)).body.details.state).toBe('kept');
    for (const role of ['administrator', 'owner'] as const) {
      const admin = await userWithRole(app, `${role}@example.com`, role);
      const { status, body } = await openCall(id, admin.sessionHeader);
      expect(status).toBe(200);
      expect(body).toMatchObject({ tool: 'shout', user: { id: ana.id, email: ana.email } });
      expect(body.details).toStrictEqual({ state: 'private' });
      expect(JSON.stringify(body)).not.toContain('for ana alone');
    }
    expect(app.lines.filter(({ event }) => event === 'a call of somebody else was opened')).toHaveLength(2);
  });
});

describe('the details of calls', () => {
  it('are sealed, bound to their call, and never in the log', async () => {
    for (const text of ['one value of ana', 'two value of ana'])
      await run(app, ana.keyHeader, 'shout', { text });
    const id = await newest();
    expect(await storedTexts()).toMatch(/^v1\.[\da-f]{8}\.\S+\nv1\./);
    expect(JSON.stringify(app.lines)).not.toContain('value of ana');
    // A text that was moved to another call does not open.
    const [first, second] = await app.deps.store.callDetails.page(null, 2);
    if (first === undefined || second === undefined) throw new Error('nothing was kept');
    await app.deps.store.callDetails.swapSealed(first.id, first.sealed, second.sealed);
    await app.deps.store.callDetails.swapSealed(second.id, second.sealed, first.sealed);
    expect((await openCall(id)).body.details).toStrictEqual({ state: 'none' });
  });

  it('are gone after a day, and the maintenance deletes them', async () => {
    await run(app, ana.keyHeader, 'shout', { text: 'a' });
    const id = await newest();
    app.clock.advance(CALL_DETAILS_SECONDS);
    expect((await openCall(id, ana.keyHeader)).body.details).toStrictEqual({ state: 'none' });
    expect(await app.deps.store.callDetails.page(null, 10)).toHaveLength(1);
    await app.deps.store.sweep(app.clock.now());
    expect(await app.deps.store.callDetails.page(null, 10)).toStrictEqual([]);
  });

  it('are not kept for a person who does not want them, and those that are there are deleted', async () => {
    const me = () => send(app, ana.sessionHeader, 'GET', '/api/me');
    await run(app, ana.keyHeader, 'shout', { text: 'before' });
    const id = await newest();
    expect((await me()).body.callDetails).toBe('kept');
    const off = await send(app, ana.sessionHeader, 'PATCH', '/api/me', { callDetails: 'off' });
    expect(off).toMatchObject({ status: 200, body: { email: ana.email, callDetails: 'off' } });
    expect(await app.deps.store.callDetails.page(null, 10)).toStrictEqual([]);
    await run(app, ana.keyHeader, 'shout', { text: 'after' });
    expect((await openNewest()).details).toStrictEqual({ state: 'off' });
    expect((await openCall(id)).body.details).toStrictEqual({ state: 'off' });
    expect(await app.deps.store.callDetails.page(null, 10)).toStrictEqual([]);
    await send(app, ana.sessionHeader, 'PATCH', '/api/me', { callDetails: 'kept' });
    await run(app, ana.keyHeader, 'shout', { text: 'again' });
    expect((await openNewest()).details.state).toBe('kept');
    expect((await openCall(id)).body.details).toStrictEqual({ state: 'none' });
    for (const body of [{}, { callDetails: 'disabled' }, { callDetails: 'off', role: 'owner' }])
      expect((await send(app, ana.sessionHeader, 'PATCH', '/api/me', body)).status).toBe(400);
    expect((await send(app, ana.keyHeader, 'PATCH', '/api/me', { callDetails: 'off' })).status).toBe(403);
  });

  it.each([{ CALL_DETAILS: 'off' }, { AUDIT_LOG_DEST: 'none' }])('are not kept with %o', async (env) => {
    await restart({ env: { ...PROVIDER, ...env } });
    await run(app, ana.keyHeader, 'shout', { text: 'a' });
    await app.deps.callDetails.flush();
    expect(await app.deps.store.callDetails.page(null, 10)).toStrictEqual([]);
    expect((await send(app, ana.sessionHeader, 'GET', '/api/me')).body.callDetails).toBe('disabled');
    if ('AUDIT_LOG_DEST' in env) return;
    expect((await openNewest()).details).toStrictEqual({ state: 'disabled' });
  });

  it('are written after the answer: a store that fails to keep them changes no call', async () => {
    const { store } = app.deps;
    store.callDetails.keep = () => Promise.reject(new Error('[test] no'));
    expect(await run(app, ana.keyHeader, 'shout', { text: 'kept in mind' })).toStrictEqual({
      result: 'KEPT IN MIND',
    });
    expect((await openNewest()).details).toStrictEqual({ state: 'none' });
    const line = app.lines.find(({ event }) => event === 'details of calls were not kept');
    expect(line).toMatchObject({ level: 'warn', calls: 1 });
    expect(JSON.stringify(app.lines)).not.toContain('kept in mind');
  });

  it('wait for each other a moment, and are written together', async () => {
    const clock = createManualClock();
    await restart({ env: PROVIDER, ports: { clock } });
    const written: number[] = [];
    const { keep } = app.deps.store.callDetails;
    app.deps.store.callDetails.keep = (user, records, most) => {
      written.push(records.length);
      return keep(user, records, most);
    };
    for (let n = 0; n < 3; n++) await run(app, ana.keyHeader, 'shout', { text: 'a' });
    expect(written).toStrictEqual([]);
    await clock.pass(CALL_DETAILS_WRITE_MS);
    await expect.poll(() => written).toStrictEqual([3]);
  });

  it('are written at once for a person who opens a call that is just over', async () => {
    await restart({ env: PROVIDER, ports: { clock: createManualClock() } });
    await run(app, ana.keyHeader, 'shout', { text: 'a' });
    await app.deps.audit.flush();
    const { body } = await send(app, ana.sessionHeader, 'GET', '/api/audit');
    expect((await openCall(body.entries[0].id)).body.details).toMatchObject({ state: 'kept' });
  });

  it('wait in a bounded number', () => {
    const { callDetails } = app.deps;
    const places = Array.from({ length: CALL_DETAILS_WAITING_PER_PERSON + 1 }, () =>
      callDetails.begin(ana.id),
    );
    expect(places.filter((place) => place === null)).toHaveLength(1);
    expect(callDetails.begin('somebody else')).not.toBeNull();
  });

  it('of a person who calls often never push those of others out', async () => {
    const { callDetails } = app.deps;
    const people = Array.from(
      { length: CALL_DETAILS_WAITING / CALL_DETAILS_WAITING_PER_PERSON },
      (_, n) => `p${n}`,
    );
    for (const person of people)
      for (let n = 0; n < CALL_DETAILS_WAITING_PER_PERSON + 5; n++)
        callDetails.begin(person)?.fill({ args: {} });
    const place = callDetails.begin(ana.id);
    expect(place).not.toBeNull();
    place?.fill({ args: { mine: true } });
    expect(callDetails.begin('p0')).toBeNull();
    await callDetails.flush();
    expect(await callDetails.open(ana.id, place?.id ?? '')).toMatchObject({
      args: { value: { mine: true } },
    });
  });

  it('of a person are bounded, and the oldest go first', async () => {
    const { callDetails, store } = app.deps;
    const ids: string[] = [];
    for (let at = 0; ids.length < CALL_DETAILS_PER_PERSON + 20; at++) {
      for (let n = 0; n < CALL_DETAILS_WAITING_PER_PERSON; n++) {
        const place = callDetails.begin(ana.id);
        place?.fill({ args: {} });
        if (place) ids.push(place.id);
      }
      await callDetails.flush();
      app.clock.advance(1);
    }
    const left = await store.callDetails.page(null, 2 * CALL_DETAILS_PER_PERSON);
    expect(left.map(({ id }) => id).toSorted()).toStrictEqual(ids.slice(-CALL_DETAILS_PER_PERSON).toSorted());
  });

  it('go with their person', async () => {
    await run(app, ana.keyHeader, 'shout', { text: 'a' });
    await newest();
    expect((await send(app, ana.sessionHeader, 'DELETE', '/api/me', { email: ana.email })).status).toBe(202);
    // Processes that have not heard of the deletion yet get their time first.
    app.clock.advance(600);
    await app.deps.erasures.goOn();
    expect(await app.deps.store.users.byId(ana.id)).toBeNull();
    expect(await app.deps.store.callDetails.page(null, 10)).toStrictEqual([]);
  });
});

describe('the copy of a value', () => {
  const copy = (value: unknown, most = 10_000) => {
    const { json, ...facts } = copyValue(value, most);
    return { value: JSON.parse(json) as unknown, ...facts };
  };

  it('leaves out members that are named like secrets, in any spelling and at any depth', () => {
    const secrets = {
      password: 'hunter2',
      new_password: 'hunter3',
      'X-Api-Key': 'k',
      apiKey: 'k',
      client_secret: { inner: 'k' },
      refreshToken: 'k',
      Authorization: 'k',
      'Set-Cookie': ['a=b'],
      otp: 123_456,
    };
    const found = copy({ a: [secrets], 'b/c~d': { token: 'k' } });
    expect(JSON.stringify(found.value)).not.toMatch(/hunter|"k"|a=b|123456/);
    expect(found.withheld).toStrictEqual([
      ...Object.keys(secrets).map((name) => `/a/0/${name}`),
      '/b~1c~0d/token',
    ]);
    expect(found.isCut).toBe(false);
  });

  it('keeps members that only look similar, and empty ones', () => {
    const plain = {
      nextPageToken: 'p',
      max_tokens: 5,
      tokenize: 'x',
      secretary: 'Ann',
      password: '',
      token: null,
      hasPassword: true,
    };
    expect(copy(plain)).toStrictEqual({ value: plain, isCut: false, withheld: [] });
  });

  it('leaves out the value of a header or field that is named like a secret', () => {
    const headers = [
      { name: 'Authorization', value: 'abc' },
      { name: 'Accept', value: 'text/plain' },
      { key: 'api_key', value: 'abc' },
    ];
    const { value, withheld } = copy(headers);
    expect(value).toMatchObject([{ value: '…' }, { value: 'text/plain' }, { value: '…' }]);
    expect(withheld).toStrictEqual(['/0/value', '/2/value']);
  });

  it.each([
    ['curl -H "Authorization: Bearer abcdefgh12345678"', 'abcdefgh12345678'],
    ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmN and more', 'eyJ'],
    [`ghp_${'a1'.repeat(18)}`, 'a1a1'],
    [`agk_${'0f'.repeat(32)}`, '0f0f'],
    ['-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----', 'MIIEvQ'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIEvQ cut', 'MIIEvQ'],
    ['https://files.example/x?X-Amz-Signature=abc123&page=2', 'abc123'],
    ['https://files.example/x?a=1&access_token=abc123', 'abc123'],
    ['postgres://ann:hunter2@db.example/x', 'hunter2'],
  ])('takes a secret out of the text %s', (text, secret) => {
    expect(JSON.stringify(copy({ text }).value)).not.toContain(secret);
  });

  it.each([
    'Basic authentication is old, bearer authentication is newer',
    'https://example.com/search?page=2&sort=new',
    'mailto:ann@example.com',
    'a // comment: with@sign',
  ])('leaves the text %s alone', (text) => {
    expect(copy(text).value).toBe(text);
  });

  it('is cut at the limit, stays JSON and says so', () => {
    const large = { list: Array.from({ length: 10_000 }, (_, n) => ({ n, text: 'ü"\\😀'.repeat(20) })) };
    const { json, isCut } = copyValue(large, CALL_RESULT_CHARACTERS);
    expect(isCut).toBe(true);
    expect(json.length).toBeLessThan(2 * CALL_RESULT_CHARACTERS);
    expect(JSON.parse(json).list[0]).toStrictEqual(large.list[0]);
    const text = copy('x'.repeat(20_000), CALL_ARGUMENT_CHARACTERS);
    expect(text).toStrictEqual({
      value: `${'x'.repeat(CALL_ARGUMENT_CHARACTERS)}…`,
      isCut: true,
      withheld: [],
    });
  });

  it('finds a secret at the place of a cut', () => {
    const text = `${'x '.repeat(40)}Bearer abcdefghij0123456789`;
    for (let most = 80; most < text.length; most++)
      expect(JSON.stringify(copy(text, most).value)).not.toMatch(/Bearer abc/);
  });

  it('ends with values that are nested deeply, and with values that JSON does not have', () => {
    let deep: unknown = 'end';
    for (let n = 0; n < 5_000; n++) deep = [deep];
    expect(copyValue(deep, 100_000)).toMatchObject({ isCut: true });
    const odd = { a: undefined, b: () => 1, c: 1n, d: new Date(0), e: Number.NaN, f: [undefined] };
    expect(copy(odd).value).toStrictEqual({ c: '1', d: '1970-01-01T00:00:00.000Z', e: null, f: [null] });
    expect(copy(undefined).value).toBeNull();
    expect(copy('\uD800').value).toBe('\uFFFD');
  });

  it('takes the secrets of a connection out of texts only', () => {
    const secrets = ['12345678', 'say "hello" twice'];
    const copied = copyValue({ a: 'x 12345678 y', b: 12_345_678, c: 'I say "hello" twice.' }, 1_000);
    expect(JSON.parse(withoutCredential(copied, secrets).json)).toStrictEqual({
      a: 'x … y',
      b: 12_345_678,
      c: 'I ….',
    });
    expect(withoutCredential(copied, ['another secret'])).toBe(copied);
  });
});

describe('what a call was about', () => {
  const subjectOf = async (query: string, headers: Record<string, string> = ana.keyHeader) => {
    await app.deps.audit.flush();
    await app.deps.callDetails.flush();
    const { entries } = await (await app.request(`/api/audit${query}`, { headers })).json();
    return entries[0].subject;
  };

  it('is the argument that names it, for the person who asks', async () => {
    await run(app, ana.keyHeader, 'signer_give_back', { given: 'the thing', password: 'hunter2' });
    expect(await subjectOf('?subject=true')).toBe('the thing');
    expect(await subjectOf('')).toBeUndefined();
    const { key } = await makeKey(app, ana, { name: 'robot' });
    await run(app, { 'x-service-api-key': key }, 'signer_give_back', { given: 'by the key' });
    expect(await subjectOf('?subject=true', { 'x-service-api-key': key })).toBeUndefined();
    expect((await app.request('/api/admin/audit?subject=false', { headers: ana.keyHeader })).status).not.toBe(
      200,
    );
  });
});

it('keeps what the service sent with a failure', async () => {
  expect(await run(app, ana.keyHeader, 'signer_fail')).toMatchObject({ error: '500: internal' });
  const id = await newest();
  const one = await (await app.request(`/api/calls/${id}`, { headers: ana.keyHeader })).json();
  expect(one.details).toMatchObject({
    state: 'kept',
    result: { value: { error: 'internal', trace: 'T-9' } },
  });
});
