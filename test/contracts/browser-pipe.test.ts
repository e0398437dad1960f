// Tests how the driver reads Chromium's debugging pipe, without a Chromium. decision: 050
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

it('splits messages wherever the chunks end', async () => {
  const { fromBrowser, heard } = hear();
  for (const piece of ['{"id":1}\0{"i', 'd":', '2}', '\0', '{"id":3}\0']) fromBrowser.write(piece);
  await expect.poll(() => heard).toEqual(['{"id":1}', '{"id":2}', '{"id":3}']);
});

// A page may give a frame a name of hundreds of megabytes, and Chromium sends that name to the gateway and
// every viewer.
it.each([
  ['that ends with its last chunk', 'the end\0', '{"id":2}\0'],
  ['whose last chunk also holds the next message', 'the end\0{"id":2}\0', ''],
])('drops a message over 64 MiB %s', async (_, last, next) => {
  const { fromBrowser, heard } = hear();
  fromBrowser.write('{"id":1}\0');
  for (let mebibytes = 0; mebibytes < 64; mebibytes++) fromBrowser.write(Buffer.alloc(MIB, 'x'));
  fromBrowser.write(last);
  fromBrowser.write(next);
  await expect.poll(() => heard.map((message) => message.slice(0, 10))).toEqual(['{"id":1}', '{"id":2}']);
});
