// The spelling of Linear's GraphQL API, and the arguments and selections that many of its tools share.
import * as z from 'zod';
import { createGraphqlRows } from '../../src/kit/graphql-rows.ts';

export const { row } = createGraphqlRows({ path: '/graphql' });

export const text = z.string();
export const some = text.optional();
export const texts = z.array(text).optional();
export const priority = () =>
  z.int().min(0).max(4).optional().describe('0 none, 1 urgent, 2 high, 3 medium, 4 low');

/** What the ids and days mean that several tools take. */
export const TEAM_ID = 'Team id, from linear_list_teams';
export const PERSON_ID = 'User id, from linear_list_users';
export const PROJECT_ID = 'Project id, from linear_list_projects';
export const START_DATE = 'Day it starts, such as 2026-03-01';
export const TARGET_DATE = 'Day it is due, such as 2026-03-31';

/** For arguments that null removes. */
export const clearable = (type: z.ZodType<string | number>) => type.nullable().optional();

export const page = () => ({
  first: z.int().min(1).max(250).default(25).describe('Results per page'),
  after: some.describe('endCursor of the previous page'),
});

export const filter = (example: string) =>
  z.record(text, z.unknown()).optional().describe(`Filter as in Linear's GraphQL API, such as ${example}`);

export const PAGE = 'pageInfo{hasNextPage endCursor}';

/**
 * The selection for an issue in a list. It asks for few labels, because Linear counts what a list multiplies
 * against its limit.
 */
export const ISSUE_LINE =
  'id identifier title priority url createdAt updatedAt dueDate state{id name type} assignee{id name} team{id key} project{id name} labels(first:10){nodes{id name}}';

/** The selection for an issue after a change. */
export const ISSUE =
  'id identifier title description priority url createdAt updatedAt dueDate estimate state{id name type} assignee{id name} team{id key} project{id name} cycle{id number} parent{id identifier} labels{nodes{id name}}';
