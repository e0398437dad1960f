// Tests an upstream that responds before it has the whole upload, and may hang up on the rest. reference: Curl proxy
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../support/proxy-stage.ts';

const MEBIBYTE = Buffer.alloc(1024 * 1024, 'x');
const UPLOAD = 64;

let stage: Stage;
let token: string;
beforeAll(async () => {
  stage = await openStage();
  token = await stage.token();
});
afterAll(() => stage.close());

interface Upload {
  answer: string;
  /** Whether the whole upload was sent before the gateway hung up. */
  whole: boolean;
}

/** Sends the whole upload without reading meanwhile, as some clients do, and then reads. */
async function upload(authorization: string): Promise<Upload> {
  const socket = connect(stage.port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => (answer += text));
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  const length = UPLOAD * MEBIBYTE.length;
  socket.write(
    `POST /c/vaulted/x HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${authorization}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`,
  );
  for (let sent = 0; sent < UPLOAD && !socket.destroyed; sent++)
    if (!socket.write(MEBIBYTE)) await Promise.race([once(socket, 'drain'), ended]);
  const whole = !socket.destroyed;
  await ended;
  return { answer, whole };
}

const TOO_LARGE = 'HTTP/1.1 413 Content Too Large\r\n';

describe('a response that comes before the upload ends', () => {
  it.each([
    ['with its length', `${TOO_LARGE}Content-Length: 3\r\n\r\nbig`],
    [
      'with its length, and says that it closes',
      `${TOO_LARGE}Content-Length: 3\r\nConnection: close\r\n\r\nbig`,
    ],
    ['without its length', `${TOO_LARGE}Connection: close\r\n\r\nbig`],
    ['chunked', `${TOO_LARGE}Transfer-Encoding: chunked\r\n\r\n3\r\nbig\r\n0\r\n\r\n`],
    ['without a body', `${TOO_LARGE}Content-Length: 0\r\n\r\n`],
  ])('reaches the caller when sent %s, however the upstream hangs up', async (_, text) => {
    for (const hangUp of ['end', 'destroy', 'resetAndDestroy'] as const) {
      stage.answer(({ socket }) => socket.write(text, () => socket[hangUp]()));
      const { answer, whole } = await upload(token);
      expect([answer.slice(0, 12), whole]).toEqual(['HTTP/1.1 413', true]);
    }
  });

  it('reaches the caller when the upstream keeps reading', async () => {
    stage.answer((incoming, outgoing) => {
      outgoing.writeHead(413, { 'content-length': 3 }).end('big');
      incoming.resume();
    });
    expect((await upload(token)).answer).toMatch(/^HTTP\/1\.1 413[^]*big$/);
  });

  it("can be the gateway's own refusal", async () => {
    expect((await upload('nope')).answer).toMatch(/^HTTP\/1\.1 401[^]*invalid or expired/);
  });

  it('leaves both connections usable for the next request', async () => {
    stage.answer((_, outgoing) => outgoing.end('ok'));
    const response = await fetch(`${stage.base}/c/vaulted/x`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await response.text()).toBe('ok');
  });
});

describe('an upstream that hangs up without a response', () => {
  it.each(['end', 'destroy', 'resetAndDestroy'] as const)(
    'answers 502 when the upstream hangs up by %s during the upload',
    async (hangUp) => {
      stage.answer(({ socket }) => socket[hangUp]());
      expect((await upload(token)).answer).toMatch(/^HTTP\/1\.1 502[^]*upstream request failed/);
    },
  );
});
