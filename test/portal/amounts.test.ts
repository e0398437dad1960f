// Tests the durations and sizes that people read.
import { expect, it } from 'vitest';
import { binarySize, duration, size } from '../../portal/parts/amounts.ts';

it.each([
  [0.4, '< 1 ms'],
  [45.2, '45 ms'],
  [1400, '1.40 s'],
  [23_000, '23.0 s'],
  [59_999, '60.0 s'],
  [60_000, '1 min 0 s'],
  [190_400, '3 min 10 s'],
  [900_000, '15 min 0 s'],
])('writes %d ms as %s', (ms, words) => {
  expect(duration(ms)).toBe(words);
});

it.each([
  [49, '49 B'],
  [8200, '8.2 kB'],
  [12_345_678, '12.3 MB'],
])('writes %d bytes as %s', (bytes, words) => {
  expect(size(bytes)).toBe(words);
});

it.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1536, '1.5 KiB'],
  [268_435_456, '256 MiB'],
  [2_147_483_648, '2 GiB'],
])('writes a limit of %d bytes as %s', (bytes, words) => {
  expect(binarySize(bytes)).toBe(words);
});
