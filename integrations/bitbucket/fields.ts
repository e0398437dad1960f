// Arguments that many tools share, and how Bitbucket spells them.
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

/** Goes as `pagelen`: the rows name it so. */
export const perPage = (count: number) => z.int().default(count);
export const paging = (count: number) => ({ perPage: perPage(count), page: z.int().default(1) });

export const query = some.describe('In the query language of Bitbucket, such as name ~ "api"');
export const names = { perPage: 'pagelen', query: 'q' } as const;

/** Identifiers are written with braces there; people leave them out. */
export function addBraces(uuid: string): string {
  return `{${uuid.trim().replace(/^\{|\}$/g, '')}}`;
}
