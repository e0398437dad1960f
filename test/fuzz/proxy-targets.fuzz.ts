// Checks that a mutated target of /c is refused, or sent unchanged below the base, and that no other host gets the
// credential. decision: 034
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../support/proxy-stage.ts';
import { sendRaw } from '../support/raw-http.ts';
import { type Chance, fuzz } from './chance.ts';
import { mutateText } from './mutate.ts';

let stage: Stage;
let token: string;
let strangers = 0;
const stranger = createServer(() => strangers++).listen(0, '127.0.0.1');
await once(stranger, 'listening');
beforeAll(async () => {
  stage = await openStage();
  token = await stage.token();
});
afterAll(async () => {
  expect(strangers).toBe(0);
  expect(stage.app.lines.filter(({ level }) => level === 'error')).toEqual([]);
  stranger.close();
  await stage.close();
});

// A server that listens on TCP has an address with a port.
const place = () => `127.0.0.1:${(stranger.address() as AddressInfo).port}`;
const PIECES = [
  '/',
  '//',
  '\\',
  '.',
  '..',
  '%2e',
  '%2E',
  '%2f',
  '%5c',
  '%00',
  '%0d%0a',
  '@',
  ':',
  '?',
  '#',
  ';',
  'a',
  'http:',
  '%',
  '%25',
  '%c0%ae',
  '\u00ff',
];

function target(chance: Chance): string {
  const pieces = [...PIECES, place()];
  let tail = '';
  for (let left = chance.below(10); left > 0; left--) tail += chance.pick(pieces);
  const start = chance.pick([
    '/c/vaulted',
    '/c/vaulted/',
    '/c/keyed/',
    `http://${place()}/c/vaulted/`,
    '/c/',
    '/c',
  ]);
  return chance.below(4) === 0 ? mutateText(start + tail, chance) : start + tail;
}

describe('mutated targets', () => {
  it('never leave the base', async () => {
    await fuzz(1_500, async (chance) => {
      stage.seen.length = 0;
      // These characters would end the request line.
      const asked = target(chance).replaceAll(/[\0-\u0020\u007f\u0100-\uffff]/g, '');
      const { status } = await sendRaw(
        stage.port,
        `GET ${asked} HTTP/1.1\r\nHost: gate\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
      );
      expect([asked, [200, 400, 401, 403, 404].includes(status)]).toEqual([asked, true]);
      const [request] = stage.seen;
      if (request === undefined) return;
      const [, name, behind = ''] = /^\/c\/([a-z]+)(.*)$/.exec(asked) ?? [];
      const base = name === 'vaulted' ? '/api' : '';
      const tail = behind === '' || behind.startsWith('?') ? `/${behind}` : behind;
      expect(request.url).toBe(base + tail);
      expect(`${new URL(`http://upstream${request.url}`).pathname}/`.startsWith(`${base}/`)).toBe(true);
    });
  });
});
