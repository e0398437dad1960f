// Notifications, and gists.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { flag, paging, row, since, some, text } from './api.ts';

export const notifications: readonly Tool[] = [
  row(
    'github_list_notifications',
    'GET /notifications',
    'List your unread notifications, newest first, in pages',
    () => ({
      all: flag.describe('True to include notifications that you have read'),
      participating: flag.describe('True for only those where you take part or are mentioned'),
      since,
      ...paging(20, 50),
    }),
  ),
  row(
    'github_mark_notification_read',
    'PATCH /notifications/threads/{threadId}',
    'Mark a notification as read',
    () => ({ threadId: text.describe('`id` from github_list_notifications') }),
  ),
  row('github_create_gist', 'POST /gists', 'Create a gist of one or more files', () => ({
    files: z
      .record(z.string(), z.object({ content: text.describe('Text of the file') }))
      .describe('Files by name, such as {"notes.md": {"content": "Hello"}}'),
    description: some.describe('One line about the gist'),
    public: z
      .boolean()
      .default(false)
      .describe('True to let everybody find the gist; otherwise only people with its address see it'),
  })),
];
