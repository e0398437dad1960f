// The spelling of Supabase's Management API.
import * as z from 'zod';
import { pick } from '../../src/kit/pick.ts';
import { createRows } from '../../src/kit/rest-rows.ts';

export const { row, send } = createRows({ names: 'snake_case' });

export const text = z.string();
export const some = text.optional();

export const PROJECT = '/v1/projects/{ref}';
export const ref = text.describe('Project, by `ref` from supabase_list_projects or of a branch');

export const pickAll = (shape: () => z.ZodRawShape) => {
  const show = pick(shape);
  return (payload: unknown): unknown[] => z.array(z.unknown()).parse(payload).map(show);
};
