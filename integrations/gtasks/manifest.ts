// Google Tasks, version 1.
import { defineWithAccount } from '../google/account.ts';
import { lists } from './lists.ts';
import { logo } from './logo.ts';
import { tasks } from './tasks.ts';
import { words } from './words.ts';

export const gtasks = defineWithAccount({
  name: 'gtasks',
  version: '1.0.0',
  displayName: 'Google Tasks',
  description: 'To-do lists and tasks of Google Tasks',
  categories: ['calendar'],
  logo,
  scopes: ['https://www.googleapis.com/auth/tasks'],
  api: {
    base: 'https://tasks.googleapis.com/tasks/v1',
  },
  words,
  tools: [...lists, ...tasks],
});
