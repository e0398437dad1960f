// The spelling of Supabase's Management API.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';
import { withoutEmpty } from '../../src/kit/without-empty.ts';

export const { row, send } = createRows({ names: 'snake_case' });

export const text = z.string();
export const some = text.optional();

export const PROJECT = '/v1/projects/{ref}';
export const ref = text.describe('Project, by `ref` from supabase_list_projects or of a branch');

/** Keeps the members of `shape`, without what is empty. */
export const pick = (shape: () => z.ZodRawShape) => {
  const Item = z.lazy(() => z.object(shape()));
  return (item: unknown): unknown => withoutEmpty(Item.parse(item));
};

export const pickAll = (shape: () => z.ZodRawShape) => {
  const show = pick(shape);
  return (payload: unknown): unknown[] => z.array(z.unknown()).parse(payload).map(show);
};
