// Tests how much heap each worker gets. decision: 010
import { expect, it } from 'vitest';
import { heapOptions } from '../../adapters/node/cluster/heap.ts';

const GIB = 1024 ** 3;
const machine = { memory: 16 * GIB, heapLimit: 4 * GIB, given: '' };

it('leaves a few workers on a large machine what Node gives them', () => {
  expect(heapOptions(2, machine)).toEqual([]);
});

it('divides three quarters of the memory among many workers', () => {
  expect(heapOptions(16, machine)).toEqual(['--max-old-space-size=768']);
});

it('leaves each worker enough to run on a small machine', () => {
  expect(heapOptions(16, { ...machine, memory: GIB, heapLimit: GIB / 2 })).toEqual([
    '--max-old-space-size=256',
  ]);
});

it.each(['--max-old-space-size=900', '--inspect --max_old_space_size=900'])(
  'leaves the limit of the operator alone (%s)',
  (given) => {
    expect(heapOptions(16, { ...machine, given })).toEqual([]);
  },
);
