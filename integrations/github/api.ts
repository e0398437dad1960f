// The spelling of GitHub's REST API, and the arguments that many of its tools share.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

export const { row, send, toCall } = createRows({ names: 'snake_case' });

export const text = z.string();
export const some = text.optional();
export const flag = z.boolean().optional();
export const texts = z.array(text);
export const since = some.describe('Only what changed after this time, such as 2026-03-01T00:00:00Z');

/** The base path of a repository. */
export const at = '/repos/{owner}/{repo}';

export const repository = {
  owner: text.describe('Account that owns the repository, such as octocat'),
  repo: text.describe('Name of the repository without its owner, such as hello-world'),
};
export const issue = {
  ...repository,
  issueNumber: z.int().describe('`number` from github_list_issues or github_search_issues, such as 42'),
};
export const pull = {
  ...repository,
  pullNumber: z.int().describe('`number` from github_list_pull_requests, such as 42'),
};
export const run = { ...repository, runId: z.int().describe('`id` from github_list_workflow_runs') };

// Descriptions that arguments of several tools share.
export const MARKDOWN = 'Text in Markdown; @login mentions a person';
export const COMMIT_MESSAGE = 'Commit message, with a short first line';
export const COMMITTISH = 'Commit SHA, branch or tag, such as main';
export const WORKFLOW = 'File name such as ci.yml, or `id` from github_list_workflows';
export const PAGE = 'Page to return, from 1';

export const paging = (perPage: number, most = 100) => ({
  perPage: z.int().default(perPage).describe(`Results per page, at most ${most}`),
  page: z.int().default(1).describe(PAGE),
});

/** The direction of a sorted list, where the service names the sort orders. */
export const sorting = (by: string) => ({
  sort: some.describe(`Field to sort by: ${by}`),
  direction: some.describe('Direction of the sort: asc or desc'),
});

/** The arguments of every search. */
export const search = (syntax: string, by: string) => ({
  query: text.describe(syntax),
  sort: some.describe(`Field to sort by: ${by}; best matches come first unless given`),
  order: some.describe('asc or desc (the default); it needs a sort'),
  ...paging(10),
});
