// Tests the shape of random values, because randomness itself cannot be proved.
import { expect, it } from 'vitest';
import { createSystemRandom } from '../../drivers/system/random.ts';

it('returns random bytes of the requested length and ids that never repeat', () => {
  const random = createSystemRandom();
  expect(random.bytes(32)).toHaveLength(32);
  expect(random.bytes(0)).toHaveLength(0);
  expect(random.bytes(32)).not.toEqual(random.bytes(32));
  // No two values are equal, empty or shared, also when the driver refills its buffer.
  const many = Array.from({ length: 10_000 }, (_, at) => random.bytes(16 + (at % 50)));
  expect(new Set(many.map((bytes) => bytes.slice(0, 16).join())).size).toBe(many.length);
  expect(many.every((bytes, at) => bytes.length === 16 + (at % 50))).toBe(true);
  const [first, second] = [random.bytes(16), random.bytes(16)];
  const before = second.join();
  first.fill(0);
  expect(second.join()).toBe(before);
  expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(random.uuid()).not.toBe(random.uuid());
});
