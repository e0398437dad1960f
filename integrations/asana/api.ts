// The spelling of Asana's API, and the arguments that many of its tools share.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';
import { toNotes } from './rich-text.ts';

export const { row, send, toCall } = createRows({ names: 'snake_case', lists: 'comma', read: unwrap });

export const text = z.string();
export const some = text.optional();
export const flag = z.boolean().optional();
export const gids = z.array(text);

const Answer = z.lazy(() => z.object({ data: z.unknown(), next_page: z.object({ offset: text }).nullish() }));

/** Every answer wraps its data. `next_page` is only in answers with pages. */
function unwrap(payload: unknown): unknown {
  const answer = Answer.safeParse(payload).data;
  if (answer === undefined) return payload;
  if (!Array.isArray(answer.data)) return answer.data;
  return {
    results: answer.data,
    ...(answer.next_page ? { nextOffset: answer.next_page.offset } : {}),
  };
}

export const page = () => ({
  limit: z.int().min(1).max(100).default(50).describe('Results per page'),
  offset: some.describe('nextOffset of the previous page'),
});

/** Asana answers with gid, name and type unless a request names more members. */
export const members = (optFields: string) => ({ opt_fields: optFields });
/** Bodies are wrapped as answers are. */
export const body = (optFields: string) => ({ wrap: 'data', always: members(optFields) });

export const WORKSPACE = 'Workspace gid, from asana_whoami';
export const PROJECT = 'Project gid, from asana_list_projects';
export const SECTION = 'Section gid, from asana_list_sections';
export const TASK = 'Task gid, from asana_list_tasks or the end of its address';
export const PERSON = '"me", an e-mail address, or a user gid from asana_list_users';
export const DAY = 'Day such as 2026-03-31';
export const notes = text.transform(toNotes).optional();
export const customFields = () =>
  z
    .record(text, z.unknown())
    .optional()
    .describe('Values by field gid, such as {"1205": "1207"}: text, number, or the gid of an option');

export const TASK_LINE =
  'name,completed,due_on,due_at,assignee.name,memberships.project.name,memberships.section.name,num_subtasks,permalink_url';
export const TASK_ALL = `${TASK_LINE},html_notes,resource_subtype,start_on,completed_at,created_at,modified_at,created_by.name,parent.name,tags.name,followers.name,dependencies.name,custom_fields.name,custom_fields.display_value`;
