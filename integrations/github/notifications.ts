// Notifications, and gists.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { flag, paging, row, since, some, text } from './api.ts';

export const notifications: readonly Tool[] = [
  row('github_list_notifications', 'GET /notifications', 'List your notifications, in pages', () => ({
    all: flag.describe('Those you have read, too'),
    participating: flag.describe('Only those you take part in or are mentioned in'),
    since,
    ...paging(20),
  })),
  row(
    'github_mark_notification_read',
    'PATCH /notifications/threads/{threadId}',
    'Mark a notification as read',
    () => ({ threadId: text }),
  ),
  row('github_create_gist', 'POST /gists', 'Create a gist of one or more files', () => ({
    files: z.record(z.string(), z.object({ content: text })).describe('By file name, each with its content'),
    description: some,
    public: z.boolean().default(false),
  })),
];
