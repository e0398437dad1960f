// The spelling of Slack's Web API, and the arguments that many of its tools share.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';

// Without the charset every response carries a warning.
export const { row, send, toCall } = createRows({
  names: 'snake_case',
  lists: 'comma',
  contentType: 'application/json; charset=utf-8',
});

export const text = z.string();
export const some = text.optional();
export const flag = z.boolean().optional();
export const blocks = () =>
  z
    .array(z.record(text, z.unknown()))
    .optional()
    .describe('Block Kit blocks, each such as {"type":"divider"}; text is then only the fallback');

export const channel = text.describe(
  'Id of a channel or direct message such as C0123456789, from slack_list_channels',
);
export const threadTs = some.describe('ts of the first message of the thread to reply in');
export const cursor = some.describe('response_metadata.next_cursor of the previous page');
export const users = text.describe(
  'User ids separated by commas, such as U0123456789, from slack_list_users',
);

export const paging = (limit: number) => ({
  limit: z.int().default(limit).describe('Results per page, at most 1000'),
  cursor,
});
export const pages = () => ({
  count: z.int().default(20).describe('Results per page, at most 100'),
  page: z.int().default(1).describe('Page to return, from 1'),
});
