// Tests how the output of a worker is passed on. decision: 010
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { passLines } from '../../adapters/node/cluster/lines.ts';

it('writes whole lines, and ends the last one of a process that was killed within it', async () => {
  const output = new PassThrough();
  const written: string[] = [];
  passLines(output, (chunk) => written.push(chunk.toString()));
  for (const piece of ['{"a":1}\n{"b"', ':2', '}\n', '{"c":']) output.write(piece);
  output.end();
  await once(output, 'end');
  expect(written).toEqual(['{"a":1}\n', '{"b":2}\n', '{"c":\n']);
});
