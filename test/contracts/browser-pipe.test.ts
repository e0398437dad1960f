// Chromium's debugging pipe without Chromium: how messages are cut apart, and which are not kept. design: L1
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { openPipe } from '../../drivers/browser/pipe.ts';

const MIB = 1024 * 1024;

function hear(): { fromBrowser: PassThrough; heard: string[] } {
  const fromBrowser = new PassThrough();
  const heard: string[] = [];
  openPipe(new PassThrough(), fromBrowser, (message) => heard.push(Buffer.from(message).toString()));
  return { fromBrowser, heard };
}

it('cuts messages apart wherever the pieces end', async () => {
  const { fromBrowser, heard } = hear();
  for (const piece of ['{"id":1}\0{"i', 'd":', '2}', '\0', '{"id":3}\0']) fromBrowser.write(piece);
  await expect.poll(() => heard).toEqual(['{"id":1}', '{"id":2}', '{"id":3}']);
});

// A page may call a frame by a name of hundreds of megabytes, and every viewer and the gateway are told of it.
it.each([
  ['that ends with its last piece', 'the end\0', '{"id":2}\0'],
  ['whose last piece holds the next one', 'the end\0{"id":2}\0', ''],
])('keeps nothing of a message beyond 64 MiB %s', async (_, last, next) => {
  const { fromBrowser, heard } = hear();
  fromBrowser.write('{"id":1}\0');
  for (let mebibytes = 0; mebibytes < 64; mebibytes++) fromBrowser.write(Buffer.alloc(MIB, 'x'));
  fromBrowser.write(last);
  fromBrowser.write(next);
  await expect.poll(() => heard.map((message) => message.slice(0, 10))).toEqual(['{"id":1}', '{"id":2}']);
});
