// Parses the recipe of a stored tool, which says how the tool is called.
import type * as z from 'zod';
import type { JsonSchema } from '../../kit/validation.ts';

export function parseRecipe<T>(shape: z.ZodType<T>, stored: JsonSchema | undefined): T {
  const { data } = shape.safeParse(stored);
  if (data === undefined)
    throw new Error('This tool was stored in a form that cannot be read. Import it again');
  return data;
}
