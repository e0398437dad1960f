// The arguments that many tools share, and Bitbucket's names for them.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

export const { row, send, toCall } = createRows({ names: 'snake_case' });

export const text = z.string();
export const some = text.optional();
export const flag = z.boolean().optional();
export const object = z.record(text, z.unknown()).optional();

export const REPOSITORY = '/repositories/{workspace}/{repoSlug}';
export const workspace = {
  workspace: text.describe('Workspace slug or {uuid}, from bitbucket_list_workspaces'),
};
export const repository = {
  ...workspace,
  repoSlug: text.describe('Repository slug or {uuid}, from bitbucket_list_repositories'),
};
export const pullRequest = {
  ...repository,
  pullRequestId: z.int().describe('`id` from bitbucket_list_pull_requests'),
};
export const description = some.describe('Description in Markdown');
export const closeSourceBranch = flag.describe('true deletes the source branch after the merge');

/** Sent as `pagelen`, which is the rows' name for it. */
export const perPage = (count: number, most = 100) =>
  z.int().default(count).describe(`Results per page, at most ${most}`);
export const paging = (count: number, most?: number) => ({
  perPage: perPage(count, most),
  page: z.int().default(1).describe('Page to return, from 1'),
});

export const query = (example: string) =>
  some.describe(`Filter in Bitbucket's query language, e.g. ${example}`);
export const sort = (example: string) =>
  some.describe(`Field to sort by, with - in front for descending, e.g. ${example}`);
export const names = { perPage: 'pagelen', query: 'q' } as const;

/** Bitbucket writes identifiers with braces; people leave the braces out. */
export function addBraces(uuid: string): string {
  return `{${uuid.trim().replace(/^\{|\}$/g, '')}}`;
}
