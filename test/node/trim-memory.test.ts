// What only the start has used is given back, so that an idle gateway is small.
import { getHeapSpaceStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { trimMemory } from '../../adapters/node/trim-memory.ts';

const youngMegabytes = (): number =>
  (getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.physical_space_size ?? 0) /
  2 ** 20;

test('the young generation that a start has grown is given back', () => {
  let survivors: object[] = [];
  // What lives through collections makes the young generation grow.
  for (let made = 0; youngMegabytes() < 8; made++) {
    survivors.push({ made });
    if (survivors.length > 100_000) survivors = survivors.slice(50_000);
  }
  survivors = [];
  trimMemory();
  expect(youngMegabytes()).toBeLessThan(2);
});

test('nothing but the trim itself can collect garbage', () => {
  trimMemory();
  expect(runInNewContext('typeof gc')).toBe('undefined');
});
