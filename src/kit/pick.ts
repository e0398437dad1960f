// Shows the chosen members of what an API answers, so that a model reads less.
import * as z from 'zod';
import { withoutEmpty } from './without-empty.ts';

/** Keeps the members of `shape`, without what is empty. The shape is made at its first use. */
export function pick(shape: () => z.ZodRawShape): (item: unknown) => unknown {
  const Item = z.lazy(() => z.object(shape()));
  return (item) => withoutEmpty(Item.parse(item));
}
