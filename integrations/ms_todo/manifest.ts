// Microsoft To Do, over Microsoft Graph v1.0.
import { defineMicrosoft, whoami } from '../microsoft/graph.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { words } from './words.ts';

export const msTodo = defineMicrosoft({
  name: 'ms_todo',
  version: '1.0.0',
  displayName: 'Microsoft To Do',
  description: 'To-do lists, tasks and their steps in Microsoft To Do',
  categories: ['issues'],
  logo,
  scopes: ['Tasks.ReadWrite'],
  words,
  tools: [whoami('ms_todo'), ...tools],
});
