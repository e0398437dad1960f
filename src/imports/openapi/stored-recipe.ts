// Reads the recipe of a stored tool: the whole of it for a call, and the request alone for the rules.
import * as z from 'zod';
import type { Tool } from '../../kit/integration.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import { parseRecipe } from '../model/stored-recipe.ts';
import type { OperationRecipe } from './operation.ts';

const style = z.enum([
  'simple',
  'label',
  'matrix',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'tabDelimited',
  'deepObject',
]);
const yes = z.literal(true).exactOptional();

const Parameter = z.object({
  argument: z.string(),
  name: z.string(),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  style,
  explode: z.boolean(),
  allowReserved: yes,
  contentType: z.string().exactOptional(),
});

const Member = z.object({
  argument: z.string().exactOptional(),
  name: z.string(),
  style: style.exactOptional(),
  explode: z.boolean().exactOptional(),
  allowReserved: yes,
  contentType: z.string().exactOptional(),
  isFile: yes,
});

const Recipe: z.ZodType<OperationRecipe> = z.object({
  method: z.string(),
  path: z.string(),
  base: z.string().exactOptional(),
  parameters: z.array(Parameter),
  body: z
    .object({
      contentType: z.string(),
      encoding: z.enum(['json', 'form', 'multipart', 'text', 'bytes']),
      required: z.boolean(),
      argument: z.string().exactOptional(),
      members: z.array(Member),
    })
    .exactOptional(),
  accepts: z.array(z.string()),
});

export const readRecipe = (stored: JsonSchema | undefined): OperationRecipe => parseRecipe(Recipe, stored);

/** Reads no more than the rules need, because an import may have 10,000 tools. */
export function readRequest(stored: JsonSchema | undefined): Tool['request'] {
  const { base, method, path } = stored ?? {};
  if (typeof method !== 'string' || typeof path !== 'string') return undefined;
  return { method, path, ...(typeof base === 'string' ? { base } : {}) };
}
