// Checks the query of a request against a schema, and answers 400 for a wrong one.
import { zValidator } from '@hono/zod-validator';
import type * as z from 'zod';
import { HttpError } from '../http/errors.ts';
import { describeIssues } from './validation.ts';

export const validQuery = <T extends z.ZodObject>(schema: T) =>
  zValidator('query', schema, (parsed) => {
    if (!parsed.success) throw new HttpError(400, { error: describeIssues(parsed.error) });
  });
