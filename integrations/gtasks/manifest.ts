// Google Tasks, version 1.
import { defineIntegration } from '../../src/kit/integration.ts';
import { ACCOUNT_HOST, ACCOUNT_SCOPES, accountProbe, whoami } from '../google/account.ts';
import { googleGrants, googleSignIn } from '../google/oauth.ts';
import { lists } from './lists.ts';
import { logo } from './logo.ts';
import { tasks } from './tasks.ts';
import { words } from './words.ts';

export const gtasks = defineIntegration({
  name: 'gtasks',
  version: '1.0.0',
  displayName: 'Google Tasks',
  description: 'To-do lists and tasks of Google Tasks',
  categories: ['calendar'],
  logo,
  auth: { ...googleSignIn, scopes: ['https://www.googleapis.com/auth/tasks', ...ACCOUNT_SCOPES] },
  api: {
    base: 'https://tasks.googleapis.com/tasks/v1',
    others: { account: ACCOUNT_HOST },
    credential: { in: 'bearer' },
  },
  probe: accountProbe,
  revoke: googleGrants,
  words,
  tools: [whoami('gtasks'), ...lists, ...tasks],
});
