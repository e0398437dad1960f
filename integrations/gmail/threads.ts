// Threads and labels.
import * as z from 'zod';
import { pageToken, row, some, text, texts } from '../google/oauth.ts';
import { readableThread } from './readable.ts';

const USER = '/gmail/v1/users/me';

export const threads = [
  row(
    'gmail_list_threads',
    `GET ${USER}/threads`,
    'List or search threads, paged by pageToken',
    () => ({
      query: some.describe('As in the search box, such as subject:invoice has:attachment'),
      labelIds: texts.optional(),
      maxResults: z.int().default(20).describe('At most 500'),
      pageToken,
    }),
    { names: { query: 'q' } },
  ),
  row(
    'gmail_get_thread',
    `GET ${USER}/threads/{id}`,
    'Read a thread: the headers of its messages, their text as well when format is full',
    () => ({ id: text, format: text.default('metadata').describe('full, metadata or minimal') }),
    { result: readableThread },
  ),
  row('gmail_list_labels', `GET ${USER}/labels`, 'List the labels of the mailbox, all at once', () => ({})),
  row('gmail_create_label', `POST ${USER}/labels`, 'Create a label', () => ({
    name: text.describe('A / in it makes it stand below another'),
    labelListVisibility: some.describe('labelShow, labelShowIfUnread or labelHide'),
    messageListVisibility: some.describe('show or hide'),
  })),
];
