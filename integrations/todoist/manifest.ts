// Todoist: tasks and projects, as the person who connects it.
import { defineIntegration } from '../../src/kit/integration.ts';
import { comments } from './comments.ts';
import { logo } from './logo.ts';
import { projects } from './projects.ts';
import { tasks } from './tasks.ts';
import { words } from './words.ts';

export const todoist = defineIntegration({
  name: 'todoist',
  version: '1.0.0',
  displayName: 'Todoist',
  description: 'Tasks, projects, sections, labels and comments',
  categories: ['issues'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://todoist.com/oauth/authorize',
    tokenUrl: 'https://todoist.com/oauth/access_token',
    registerUrl: 'https://developer.todoist.com/appconsole.html',
    registerHelp: 'Choose Create a new app, and enter the redirect address under OAuth redirect URL.',
    scopes: ['data:read_write', 'data:delete', 'project:delete'],
    scopeSeparator: ',',
    clientAuth: 'post',
  },
  api: {
    base: 'https://api.todoist.com/api/v1',
    others: { files: 'https://files.todoist.com' },
    credential: { in: 'bearer' },
    // POST /sync takes commands of every kind.
    methodsMeanNothing: 'except GET',
  },
  token: {
    fields: [
      { key: 'token', label: 'API token', secret: true, required: true, placeholder: '0123456789abcdef…' },
    ],
    credential: { in: 'bearer' },
    url: 'https://app.todoist.com/app/settings/integrations/developer',
    help: 'Choose Copy API token. The token may do everything that you may do. Issue a new one to end it.',
  },
  probe: { request: 'GET /user', id: '/id', label: '/email' },
  revoke: {
    at: 'https://app.todoist.com/app/settings/integrations',
    request: {
      method: 'POST',
      url: 'https://api.todoist.com/api/v1/revoke',
      auth: 'client',
      body: { type: 'json', fields: { token: '{access_token}', token_type_hint: 'access_token' } },
    },
  },
  words,
  tools: [...projects, ...tasks, ...comments],
});
