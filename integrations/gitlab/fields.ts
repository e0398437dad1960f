// The arguments that many tools share, and GitLab's names for them.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

export const { row, send } = createRows({ names: 'snake_case', lists: 'brackets' });

export const text = z.string();
export const some = text.optional();
export const flag = z.boolean().optional();
export const userIds = () =>
  z
    .array(z.int())
    .optional()
    .describe('User ids: `id` from gitlab_whoami, or from gitlab_search with scope users');
export const labels = some.describe('Label names separated by commas, e.g. bug,urgent');
export const allLabels = some.describe('Labels to have from now on, separated by commas; others are removed');
export const withLabels = some.describe('Only with all of these labels, separated by commas');
export const markdown = text.describe('Text in Markdown');
export const description = some.describe('Description in Markdown');
export const sort = some.describe('asc or desc; desc by default');
export const inTitle = some.describe('Words in the title or description');
export const inProject = some.describe('Text in the name, path or description of the project');
export const startBranch = some.describe('Existing branch to start from when `branch` is new');

/** Paths never contain a percent sign, so an encoded path, as in GitLab's documentation, is decoded first. */
const path = text.transform((given) => given.replace(/%2f/gi, '/'));

export const projectId = path.describe('Project id or full path, e.g. 42 or group/project');
export const groupId = path.describe('Group id or full path, e.g. 42 or group/subgroup');
export const project = { projectId };
export const mergeRequest = {
  ...project,
  mergeRequestIid: z.int().describe('`iid` from gitlab_list_merge_requests, e.g. 12 for !12'),
};
export const issue = {
  ...project,
  issueIid: z.int().describe('`iid` from gitlab_list_issues, e.g. 12 for #12'),
};
export const pipeline = { ...project, pipelineId: z.int().describe('`id` from gitlab_list_pipelines') };
export const job = { ...project, jobId: z.int().describe('`id` from gitlab_list_pipeline_jobs') };

export const paging = (perPage: number) => ({
  perPage: z.int().default(perPage).describe('Results per page, at most 100'),
  page: z.int().default(1).describe('Page to return, from 1'),
});

export const orderBy = (fields: string) => some.describe(`Field to sort by: ${fields}`);
/** Filters by a person take the username, not the id. */
export const username = (filter: string) => some.describe(`${filter}: username without @`);
