// The arguments that many tools share, and Bitbucket's names for them.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

export const { row, send, toCall } = createRows({ names: 'snake_case' });

export const text = z.string();
export const some = text.optional();
export const flag = z.boolean().optional();
export const object = z.record(text, z.unknown()).optional();

export const REPOSITORY = '/repositories/{workspace}/{repoSlug}';
export const workspace = { workspace: text.describe('Slug or {uuid} of the workspace') };
export const repository = { ...workspace, repoSlug: text.describe('Slug or {uuid} of the repository') };
export const pullRequest = { ...repository, pullRequestId: z.int() };

/** Sent as `pagelen`, which is the rows' name for it. */
export const perPage = (count: number) => z.int().default(count);
export const paging = (count: number) => ({ perPage: perPage(count), page: z.int().default(1) });

export const query = some.describe('In the query language of Bitbucket, such as name ~ "api"');
export const names = { perPage: 'pagelen', query: 'q' } as const;

/** Bitbucket writes identifiers with braces; people leave the braces out. */
export function addBraces(uuid: string): string {
  return `{${uuid.trim().replace(/^\{|\}$/g, '')}}`;
}
