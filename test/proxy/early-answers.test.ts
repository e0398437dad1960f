// An upstream that answers before it has all of an upload, and may hang up on the rest. spec: Curl proxy
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
  /** Whether all of it went out before the gateway hung up. */
  whole: boolean;
}

/** Sends all of an upload, as clients do that do not listen meanwhile, and then reads. */
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

describe('an answer that comes before the upload is over', () => {
  it.each([
    ['with its length', `${TOO_LARGE}Content-Length: 3\r\n\r\nbig`],
    [
      'with its length, and says that it closes',
      `${TOO_LARGE}Content-Length: 3\r\nConnection: close\r\n\r\nbig`,
    ],
    ['without its length', `${TOO_LARGE}Connection: close\r\n\r\nbig`],
    ['chunked', `${TOO_LARGE}Transfer-Encoding: chunked\r\n\r\n3\r\nbig\r\n0\r\n\r\n`],
    ['without a body', `${TOO_LARGE}Content-Length: 0\r\n\r\n`],
  ])('%s reaches the caller, however the upstream hangs up', async (_, text) => {
    for (const hangUp of ['end', 'destroy', 'resetAndDestroy'] as const) {
      stage.answer(({ socket }) => socket.write(text, () => socket[hangUp]()));
      const { answer, whole } = await upload(token);
      expect([answer.slice(0, 12), whole]).toEqual(['HTTP/1.1 413', true]);
    }
  });

  it('reaches the caller when the upstream goes on reading', async () => {
    stage.answer((incoming, outgoing) => {
      outgoing.writeHead(413, { 'content-length': 3 }).end('big');
      incoming.resume();
    });
    expect((await upload(token)).answer).toMatch(/^HTTP\/1\.1 413[^]*big$/);
  });

  it('is the gateway’s own refusal as well', async () => {
    expect((await upload('nope')).answer).toMatch(/^HTTP\/1\.1 401[^]*invalid or expired/);
  });

  it('leaves both connections fit for what comes next', async () => {
    stage.answer((_, outgoing) => outgoing.end('ok'));
    const response = await fetch(`${stage.base}/c/vaulted/x`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await response.text()).toBe('ok');
  });
});

describe('an upstream that hangs up without an answer', () => {
  it.each(['end', 'destroy', 'resetAndDestroy'] as const)('by %s, mid-upload, is a 502', async (hangUp) => {
    stage.answer(({ socket }) => socket[hangUp]());
    expect((await upload(token)).answer).toMatch(/^HTTP\/1\.1 502[^]*upstream request failed/);
  });
});
