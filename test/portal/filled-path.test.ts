// Tests that an approval shows the path that its call asks for.
import { expect, it } from 'vitest';
import { filledPath } from '../../portal/pages/approvals/filled-path.ts';

it.each([
  ['/orders/{id}', { id: 'o 18' }, '/orders/o%2018'],
  ['/orders/{id}', { id: 'a/b' }, '/orders/a%2Fb'],
  ['/git/refs/{ref+}', { ref: 'heads/one two' }, '/git/refs/heads/one%20two'],
  ['/git/refs/{ref+}', {}, '/git/refs/{ref+}'],
])('fills %s with the arguments', (path, args, filled) => {
  expect(filledPath(path, args)).toBe(filled);
});
