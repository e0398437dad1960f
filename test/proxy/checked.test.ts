// Takes secrets out of the answers of raw requests: in pieces, packed, of every kind, and says what it cannot check.
// reference: Outside content; decision: 063
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Rule } from '../../src/kit/actor.ts';
import { type CallStage, openCallStage } from '../support/call-doors.ts';
import { bearer } from '../support/proxy-stage.ts';
import { auditOf, putRules } from '../support/raw-policy.ts';
import { sendRaw } from '../support/raw-http.ts';

const TOKEN = `ghp_${'a1B2c3D4e'.repeat(4)}`;
const CARD = '4111111111111111';
const REMOVED = '[removed: github_token]';
const RULES: Rule[] = [
  { integration: 'vaulted', redact: 'secrets', decision: 'allow' },
  { integration: 'vaulted', redact: 'personal', decision: 'allow' },
];

let stage: CallStage;
beforeEach(async () => {
  stage = await openCallStage();
  await putRules(stage, RULES);
});
afterEach(() => stage.close());

type Pieces = readonly (string | Buffer)[];

/** Sends each piece in a write of its own, when the one before has left. */
async function sendPieces(outgoing: ServerResponse, pieces: Pieces): Promise<void> {
  for (const piece of pieces) await new Promise((resolve) => outgoing.write(piece, resolve));
  outgoing.end();
}

function answerWith(type: string | undefined, pieces: Pieces, headers: Record<string, string> = {}): void {
  stage.answer(async (_, outgoing) => {
    outgoing.writeHead(200, { ...(type === undefined ? {} : { 'content-type': type }), ...headers });
    await sendPieces(outgoing, pieces);
  });
}

const get = (headers: Record<string, string> = {}) => stage.get('/c/vaulted/x', { headers });
const textOf = async () => (await get()).text();
const halves = (text: string): string[] => text.split('');

describe('a text that is relayed', () => {
  it.each([
    ['text/plain', `a ${TOKEN} b`, `a ${REMOVED} b`],
    [
      'text/html; charset=utf-8',
      `<p title="${TOKEN}">é ana@example.com</p>`,
      `<p title="${REMOVED}">é [removed: email]</p>`,
    ],
    [
      'application/json',
      `{"a":"${TOKEN}", "n": 1.50, "b":[${CARD}]}`,
      `{"a":"${REMOVED}", "n": 1.50, "b":["[removed: card]"]}`,
    ],
    [
      'application/vnd.api+json',
      `["ana\\u0040example.com","\\u00e9\\/"]`,
      `["[removed: email]","\\u00e9\\/"]`,
    ],
    ['application/json', `["a\\n\\u20ac ${TOKEN}"]`, JSON.stringify([`a\n€ ${REMOVED}`])],
    ['application/x-ndjson', `{"a":"${TOKEN}"}\n{"a":2}\n`, `{"a":"${REMOVED}"}\n{"a":2}\n`],
    ['application/json', `{"a": "open ${TOKEN}`, `{"a": "open ${REMOVED}`],
    ['application/json', `no json: ${TOKEN}`, `no json: "${REMOVED}"`],
    ['image/svg+xml', `<svg>${TOKEN}</svg>`, `<svg>${REMOVED}</svg>`],
    [
      'application/json',
      '{"plain": "nothing here", "x": 0.4242424242424242}',
      '{"plain": "nothing here", "x": 0.4242424242424242}',
    ],
  ])('loses its secrets as %s, whole and letter by letter (%#)', async (type, text, left) => {
    answerWith(type, [text]);
    expect(await textOf()).toBe(left);
    answerWith(type, halves(text));
    expect(await textOf()).toBe(left);
  });

  it('loses a private key that comes line by line, and keeps the lines around it', async () => {
    const [begin, end] = ['BEGIN', 'END'].map((line) => `-----${line} RSA PRIVATE KEY-----`);
    const lines = ['before', begin, ...Array.from({ length: 40 }, () => 'QUJD'.repeat(16)), end, 'after'];
    answerWith(
      'text/plain',
      lines.map((line) => `${line}\n`),
    );
    expect(await textOf()).toBe('before\n[removed: private_key]\nafter\n');
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('is unpacked where it comes as %s', async (encoding, pack) => {
    const packed = pack(JSON.stringify({ text: `${'x'.repeat(200_000)} ${TOKEN}` }));
    answerWith('application/json', [packed.subarray(0, 20), packed.subarray(20)], {
      'content-encoding': encoding,
    });
    const answer = await get();
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(await answer.json()).toEqual({ text: `${'x'.repeat(200_000)} ${REMOVED}` });
  });

  it('keeps the bytes of other alphabets', async () => {
    const bytes = Buffer.concat([Buffer.from([0xe9, 0xff, 0x80]), Buffer.from(` ${TOKEN}`)]);
    answerWith('text/plain; charset=iso-8859-1', [bytes]);
    const read = Buffer.from(await (await get()).arrayBuffer());
    expect(read).toEqual(Buffer.concat([Buffer.from([0xe9, 0xff, 0x80]), Buffer.from(` ${REMOVED}`)]));
  });

  it('is whole, although its caller asks for a part of it', async () => {
    answerWith('text/plain', ['ok']);
    await get({ range: 'bytes=4-', 'if-range': '"x"', 'accept-encoding': 'gzip' });
    expect(stage.seen[0]?.headers).not.toHaveProperty('range');
    expect(stage.seen[0]?.headers).not.toHaveProperty('if-range');
    expect(stage.seen[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('says at its end what was taken out, in headers too', async () => {
    answerWith('text/plain', [`${TOKEN}\n${CARD}`], {
      'x-note': `key ${TOKEN}`,
      'content-length': String(TOKEN.length + 1 + CARD.length),
      etag: '"1"',
    });
    const token = await stage.token({ actor: stage.actor, integrations: ['vaulted'] });
    const { authorization } = bearer(token);
    const head = `GET /c/vaulted/x HTTP/1.1\r\nHost: gate\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`;
    const { head: lines, body } = await sendRaw(stage.port, head);
    expect(lines).toContain(`x-note: key ${REMOVED}`);
    expect(lines).toContain('etag: "1"');
    expect(lines.toLowerCase()).not.toContain('content-length');
    expect(body).toContain('X-Redacted: github_token=2, card=1');
    expect(body).not.toContain(TOKEN);
  });

  it('is as large as it likes, in one line too', async () => {
    const block = 'word. '.repeat(20_000);
    answerWith('text/plain', [block, block, `${TOKEN} `, block, block]);
    expect(await textOf()).toBe(`${block}${block}${REMOVED} ${block}${block}`);
  });

  it('may be one text of JSON that is large', async () => {
    const block = 'QUJD'.repeat(40_000);
    answerWith('application/json', [
      `{"data":"${block}`,
      block,
      ` ${TOKEN.slice(0, 9)}`,
      `${TOKEN.slice(9)}\\n`,
      `${block}","b":1}`,
    ]);
    expect(await textOf()).toBe(`{"data":"${block}${block} ${REMOVED}\\n${block}","b":1}`);
  });

  it('comes line by line while the API still writes', async () => {
    let end = () => {};
    stage.answer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/plain' });
      outgoing.write(`first ${TOKEN}\nsecond`);
      end = () => void outgoing.end('\n');
    });
    const reader = (await get()).body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe(`first ${REMOVED}\n`);
    end();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('second\n');
  });
});

describe('what cannot be checked', () => {
  it.each([
    ['image/png', {}, 'content of the type image/png'],
    ['application/octet-stream', {}, 'content of the type application/octet-stream'],
    ['text/event-stream', {}, 'a stream of events'],
    [undefined, {}, 'content without a type'],
    ['text/plain; charset=utf-16le', {}, 'text in this alphabet'],
    ['text/plain', { 'content-encoding': 'gzip, br' }, 'content in this encoding'],
    ['text/plain', { 'content-encoding': 'aes128gcm' }, 'content in this encoding'],
  ])('is held back and named: %s %j', async (type, headers, what) => {
    answerWith(type, [`data: ${TOKEN}`], headers);
    const answer = await get();
    const body = await answer.json();
    expect(answer.status).toBe(403);
    expect(body).toMatchObject({ error: 'BLOCKED', message: expect.stringContaining(what) });
    expect(JSON.stringify(body)).not.toContain(TOKEN);
  });

  it('is recorded as the request that it was', async () => {
    answerWith('image/png', ['x']);
    await stage.send('/c', { method: 'POST', body: 'x' });
    await stage.app.deps.audit.flush();
    const [row] = (await auditOf(stage, stage.ana.id)).filter(({ action }) => action === 'CURL');
    expect(row).toMatchObject({
      outcome: 'ok',
      status: 200,
      error: 'BLOCKED: the answer with status 200 was held back',
    });
  });

  it('passes where it is empty', async () => {
    stage.answer((_, outgoing) => void outgoing.writeHead(204).end());
    expect((await get()).status).toBe(204);
    stage.answer((_, outgoing) => void outgoing.writeHead(200, { 'content-type': 'image/png' }).end());
    expect((await get()).status).toBe(200);
  });

  it.each([
    ['has zero bytes', 'text/plain', 'a\0b', {}],
    ['is not packed as it says', 'text/plain', 'not packed', { 'content-encoding': 'gzip' }],
  ])('breaks off where a text %s', async (_name, type, text, headers) => {
    answerWith(type, [text], headers);
    await expect(textOf()).rejects.toThrow();
  });

  it('passes where no rule is for the integration', async () => {
    await putRules(stage, [{ integration: 'keyed', redact: 'secrets', decision: 'allow' }]);
    answerWith('image/png', [TOKEN]);
    expect(await textOf()).toBe(TOKEN);
  });
});

describe('a caller that leaves while an answer is unpacked', () => {
  it('ends the call', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 'a\n'));
    answerWith('text/plain', [bomb], { 'content-encoding': 'gzip' });
    const leaving = new AbortController();
    const answer = await stage.get('/c/vaulted/x', { signal: leaving.signal });
    await answer.body?.getReader().read();
    leaving.abort();
    const { calls } = stage.app.deps;
    while (calls.used(stage.ana.id).underWay > 0) await new Promise(setImmediate);
    expect(calls.used(stage.ana.id).underWay).toBe(0);
  });
});
