// Chance cannot be proved; its shapes can.
import { expect, it } from 'vitest';
import { createSystemRandom } from '../../drivers/system/random.ts';

it('system random: bytes of the asked length and ids, never the same twice', () => {
  const random = createSystemRandom();
  expect(random.bytes(32)).toHaveLength(32);
  expect(random.bytes(0)).toHaveLength(0);
  expect(random.bytes(32)).not.toEqual(random.bytes(32));
  expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(random.uuid()).not.toBe(random.uuid());
});
