// Tests upstreams that stall, break off, flood and lie: the caller gets a 502 or a clean cut, and no other
// call notices. reference: Curl proxy
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../support/proxy-stage.ts';

type Misbehave = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;
type HangUp = 'end' | 'resetAndDestroy';

const BYSTANDS = 20;

let stage: Stage;
let hers: Record<string, string>;
let theirs: Record<string, string>;
let misbehave: Misbehave;

beforeAll(async () => {
  stage = await openStage({ headersTimeout: 300 });
  const bea = await stage.app.user('bea@example.com');
  await stage.app.deps.vault.save(bea.id, 'vaulted', { accessToken: 'of-bea' });
  hers = { authorization: `Bearer ${await stage.token()}` };
  theirs = { authorization: `Bearer ${await stage.token({ userId: bea.id })}` };
  // Both callers share one origin and so one pool of connections; only the credential tells them apart.
  stage.answer((incoming, outgoing) =>
    incoming.headers.authorization === 'Bearer of-bea'
      ? outgoing.end(`for bea ${incoming.url}`)
      : misbehave(incoming, outgoing),
  );
});
beforeEach(() => {
  stage.seen.length = 0;
});
afterAll(() => stage.close());

/** What the caller sees: status and body, or that the response was cut off. */
async function meet(
  how: Misbehave,
  init: RequestInit = {},
): Promise<{ status: number; body: string | null }> {
  misbehave = how;
  const response = await fetch(`${stage.base}/c/vaulted/x`, { headers: hers, ...init });
  return { status: response.status, body: await response.text().catch(() => null) };
}

async function bystand(): Promise<void> {
  for (let count = 0; count < BYSTANDS; count++) {
    const response = await fetch(`${stage.base}/c/vaulted/${count}`, { headers: theirs });
    expect([response.status, await response.text()]).toEqual([200, `for bea /api/${count}`]);
  }
}

const says =
  (text: string, hangUp: HangUp = 'end'): Misbehave =>
  ({ socket }) =>
    socket.write(text, 'latin1', () => socket[hangUp]());

const FAILED = { status: 502, body: expect.stringMatching(/^\{"error":"upstream request failed: /) };
const CUT = { status: 200, body: null };

describe('an upstream response that breaks off', () => {
  const head = 'HTTP/1.1 200 OK\r\nX-A: b\r\n';
  const byLength = `${head}Content-Length: 10\r\n\r\n`;
  const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;

  it.each([
    ['of a known length', byLength, '0123456789', 'end'],
    ['of a known length', byLength, '0123456789', 'resetAndDestroy'],
    ['in chunks', chunked, '4\r\n0123\r\n6\r\n456789\r\n0\r\n\r\n', 'end'],
    ['in chunks', chunked, '4\r\n0123\r\n6\r\n456789\r\n0\r\n\r\n', 'resetAndDestroy'],
  ] as const)(
    'is never taken for a complete one: %s cut at any byte (%#)',
    async (_, start, rest, hangUp) => {
      const whole = start + rest;
      for (let length = 0; length < whole.length; length++) {
        const met = await meet(says(whole.slice(0, length), hangUp));
        expect([length, met]).toEqual([length, length < start.length ? FAILED : CUT]);
      }
      expect(await meet(says(whole, hangUp))).toEqual({ status: 200, body: '0123456789' });
      await bystand();
    },
  );

  it('is complete at a clean end and cut off at a reset when its length is unknown', async () => {
    const text = `${head}Connection: close\r\n\r\n0123`;
    expect(await meet(says(text, 'end'))).toEqual({ status: 200, body: '0123' });
    expect(await meet(says(text, 'resetAndDestroy'))).toEqual(CUT);
  });
});

describe('an invalid upstream response', () => {
  const answers: Record<string, string> = {
    'not HTTP': 'SSH-2.0-OpenSSH_9.9\r\n',
    'another version': 'HTTP/3.7 200 OK\r\n\r\n',
    'no status': 'HTTP/1.1 OK\r\n\r\n',
    'status 099': 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n',
    'status 999': 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n',
    'a switch of protocols': 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    'a length that is none': 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
    'a line break in a name': 'HTTP/1.1 200 OK\r\nX\nY: 1\r\n\r\n',
    'a header flood': `HTTP/1.1 200 OK\r\n${'X-Flood: y\r\n'.repeat(20_000)}\r\n`,
    'one endless header': `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(1024 * 1024)}`,
  };

  it.each(Object.keys(answers))('becomes a 502: %s', async (name) => {
    expect(await meet(says(answers[name] ?? ''))).toEqual(FAILED);
    await bystand();
  });

  it.each([
    ['a size that is none', 'zz\r\nab\r\n0\r\n\r\n'],
    ['a size too large to count', `${'f'.repeat(40)}\r\nab`],
    ['more than the size says', '1\r\nabcdef\r\n0\r\n\r\n'],
    ['a negative size', '-1\r\na\r\n0\r\n\r\n'],
  ])('cuts off the response for bad chunking (%s)', async (_, body) => {
    const met = await meet(says(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`));
    expect(met).toEqual(CUT);
    await bystand();
  });

  it('becomes a 502 for informational responses without end', async () => {
    const pour: Misbehave = ({ socket }) => {
      const more = () =>
        socket.writable && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100), more);
      more();
    };
    expect(await meet(pour)).toEqual(FAILED);
    await bystand();
  });

  it("never becomes the response to another caller's request", async () => {
    const evil = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil';
    for (const first of [
      'HTTP/1.1 204 No Content\r\n\r\n',
      'HTTP/1.1 204 No Content\r\nContent-Length: 46\r\n\r\n',
      'HTTP/1.1 304 Not Modified\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    ]) {
      const { status, body } = await meet(({ socket }) => socket.write(first + evil));
      expect([status, body]).toEqual([Number(first.slice(9, 12)), '']);
      await bystand();
    }
  });

  it('drops a body in the response to HEAD', async () => {
    const text = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil';
    expect(await meet(says(text), { method: 'HEAD' })).toEqual({ status: 200, body: '' });
    await bystand();
  });
});

describe('a reason phrase that cannot be passed on', () => {
  it.each(['Успех', '\u00E9', 'O\u0001K', 'O\u0000K'])('is dropped: %j', async (phrase) => {
    for (const encoding of ['utf8', 'latin1'] as const) {
      const bytes = Buffer.from(phrase, encoding).toString('latin1');
      const met = await meet(says(`HTTP/1.1 200 ${bytes}\r\nContent-Length: 4\r\n\r\nbody`));
      expect(met).toEqual({ status: 200, body: 'body' });
    }
    await bystand();
  });
});

describe('a slow upstream', () => {
  it.each<[string, Misbehave]>([
    ['says nothing', () => {}],
    ['stops within its headers', ({ socket }) => socket.write('HTTP/1.1 200 OK\r\nX-A: ')],
  ])('becomes a 502 at its limit when it %s, and other calls are answered meanwhile', async (_, how) => {
    let over = false;
    const stalled = meet(how).finally(() => (over = true));
    await expect.poll(() => stage.seen.length).toBe(1);
    const first = await fetch(`${stage.base}/c/vaulted/first`, { headers: theirs });
    expect([await first.text(), over]).toEqual(['for bea /api/first', false]);
    expect(await stalled).toEqual(FAILED);
  });

  it('becomes a 502 at its limit when it reads no upload', async () => {
    const met = meet(({ socket }) => socket.pause(), {
      method: 'POST',
      body: Buffer.alloc(32 * 1024 * 1024),
    });
    await bystand();
    expect(await met).toEqual(FAILED);
  });

  it('may be silent for long within its body, like a stream of events', async () => {
    const silent = Promise.withResolvers<void>();
    misbehave = async (_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      await silent.promise;
      outgoing.end('data: 2\n\n');
    };
    const response = await fetch(`${stage.base}/c/vaulted/x`, { headers: hers });
    const text = response.text();
    // Another silent call has ended at its limit, and this one is as old.
    const other = misbehave;
    misbehave = () => {};
    const stalled = await fetch(`${stage.base}/c/vaulted/y`, { headers: hers });
    expect([stalled.status, misbehave !== other]).toEqual([502, true]);
    silent.resolve();
    expect(await text).toBe('data: 1\n\ndata: 2\n\n');
  });
});

describe('an upstream that floods', () => {
  it('stops while its caller does not read, and delays no other caller', async () => {
    let written = 0;
    async function* flood() {
      for (;;) {
        written += 64 * 1024;
        yield Buffer.alloc(64 * 1024);
      }
    }
    misbehave = (_, outgoing) => void pipeline(flood, outgoing).catch(() => {});
    const leaving = new AbortController();
    await fetch(`${stage.base}/c/vaulted/x`, { headers: hers, signal: leaving.signal });
    let before: number;
    do {
      before = written;
      await bystand();
    } while (written > before);
    expect(written).toBeLessThan(64 * 1024 * 1024);
    leaving.abort();
  });
});
