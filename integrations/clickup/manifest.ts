// ClickUp: tasks, lists, comments and tracked time, as the person who connects it.
import { defineIntegration } from '../../src/kit/integration.ts';
import { comments } from './comments.ts';
import { logo } from './logo.ts';
import { spaces } from './spaces.ts';
import { tasks } from './tasks.ts';
import { timeEntries } from './time.ts';

export const clickup = defineIntegration({
  name: 'clickup',
  version: '1.0.0',
  displayName: 'ClickUp',
  description: 'Tasks, lists, comments, files and tracked time',
  categories: ['issues'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://app.clickup.com/api',
    tokenUrl: 'https://api.clickup.com/api/v2/oauth/token',
    registerUrl: 'https://app.clickup.com/settings/apps',
    registerHelp: 'Choose ClickUp API, then Create an App, and enter the redirect address.',
    // The person chooses workspaces instead.
    scopes: [],
    clientAuth: 'post',
  },
  api: { base: 'https://api.clickup.com/api', credential: { in: 'bearer' } },
  token: {
    fields: [{ key: 'token', label: 'API token', secret: true, required: true, placeholder: 'pk_…' }],
    // ClickUp takes the word Bearer only before the token of a sign-in.
    credential: { in: 'headers', headers: { authorization: '{token}' } },
    url: 'https://app.clickup.com/settings/apps',
    help: 'Under API Token choose Generate. The token may do everything that you may do.',
  },
  probe: { request: 'GET /v2/user', id: '/user/id', label: '/user/email' },
  revoke: { at: 'https://app.clickup.com/settings/apps' },
  tools: [...spaces, ...tasks, ...comments, ...timeEntries],
});
