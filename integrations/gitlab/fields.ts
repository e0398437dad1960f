// The arguments that many tools share, and GitLab's names for them.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

export const { row, send } = createRows({ names: 'snake_case', lists: 'brackets' });

export const text = z.string();
export const some = text.optional();
export const flag = z.boolean().optional();
export const ids = z.array(z.int()).optional();
export const labels = some.describe('Separated by commas');

/** Paths never contain a percent sign, so an encoded path, as in GitLab's documentation, is decoded first. */
const path = text.transform((given) => given.replace(/%2f/gi, '/'));

export const projectId = path.describe('Numeric id, or full path such as group/project');
export const groupId = path.describe('Numeric id, or full path such as group/subgroup');
export const project = { projectId };
export const mergeRequest = { ...project, mergeRequestIid: z.int() };
export const issue = { ...project, issueIid: z.int() };
export const pipeline = { ...project, pipelineId: z.int() };
export const job = { ...project, jobId: z.int() };

export const paging = (perPage: number) => ({
  perPage: z.int().default(perPage),
  page: z.int().default(1),
});
