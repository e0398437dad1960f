// The spelling of GitHub's REST API, and the arguments that many of its tools share.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

export const { row, send, toCall } = createRows({ names: 'snake_case' });

export const text = z.string();
export const some = text.optional();
export const flag = z.boolean().optional();
export const texts = z.array(text);
export const since = some.describe('ISO 8601, such as 2026-03-01T00:00:00Z');

/** The base path of a repository. */
export const at = '/repos/{owner}/{repo}';

export const repository = { owner: text, repo: text };
export const issue = { ...repository, issueNumber: z.int() };
export const pull = { ...repository, pullNumber: z.int() };
export const run = { ...repository, runId: z.int() };

export const paging = (perPage: number) => ({
  perPage: z.int().default(perPage).describe('At most 100'),
  page: z.int().default(1),
});

/** The direction of a sorted list, where the service names the sort orders. */
export const sorting = (by: string) => ({ sort: some.describe(by), direction: some.describe('asc or desc') });

/** The arguments of every search. */
export const search = (syntax: string) => ({
  query: text.describe(syntax),
  sort: some,
  order: some.describe('asc or desc'),
  ...paging(10),
});
