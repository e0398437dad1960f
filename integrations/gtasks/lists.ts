// The lists that tasks are in.
import * as z from 'zod';
import { pageToken, row, text } from '../google/oauth.ts';

const LISTS = '/users/@me/lists';
const tasklist = text.describe('List id, from gtasks_list_lists; @default is the main list of the person');
const title = text.describe('Title of the list, at most 1024 characters');

export const lists = [
  row('gtasks_list_lists', `GET ${LISTS}`, 'List the to-do lists of the person', () => ({
    maxResults: z.int().default(100).describe('Lists per page, at most 1000'),
    pageToken,
  })),
  row('gtasks_get_list', `GET ${LISTS}/{tasklist}`, 'Get the title of a to-do list', () => ({ tasklist })),
  row('gtasks_create_list', `POST ${LISTS}`, 'Create a to-do list', () => ({ title })),
  row('gtasks_rename_list', `PATCH ${LISTS}/{tasklist}`, 'Rename a to-do list', () => ({ tasklist, title })),
  row('gtasks_delete_list', `DELETE ${LISTS}/{tasklist}`, 'Delete a to-do list with all its tasks', () => ({
    tasklist,
  })),
];
