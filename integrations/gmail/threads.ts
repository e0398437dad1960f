// Threads and labels.
import * as z from 'zod';
import { pageToken, row, some, text, texts } from '../google/oauth.ts';
import { readableThread } from './readable.ts';

const USER = '/gmail/v1/users/me';

export const threads = [
  row(
    'gmail_list_threads',
    `GET ${USER}/threads`,
    'List or search mail threads',
    () => ({
      query: some.describe('Query of the Gmail search box, such as subject:invoice has:attachment'),
      labelIds: texts.optional().describe('Only threads with all of these labels, such as INBOX'),
      maxResults: z.int().default(20).describe('Threads per page, at most 500'),
      pageToken,
    }),
    { names: { query: 'q' } },
  ),
  row(
    'gmail_get_thread',
    `GET ${USER}/threads/{id}`,
    'Read a thread: the headers of its messages, and with format full also their texts',
    () => ({
      id: text.describe('Thread id, from gmail_list_threads'),
      format: text.default('metadata').describe('full for headers and texts, metadata or minimal for less'),
    }),
    { result: readableThread },
  ),
  row('gmail_list_labels', `GET ${USER}/labels`, 'List all labels of the mailbox with their ids', () => ({})),
  row('gmail_create_label', `POST ${USER}/labels`, 'Create a label', () => ({
    name: text.describe('Name of the label; Clients/Acme puts Acme below Clients'),
    labelListVisibility: some.describe(
      'The label in the list of labels: labelShow, labelShowIfUnread or labelHide',
    ),
    messageListVisibility: some.describe('Its messages in the list of messages: show or hide'),
  })),
];
