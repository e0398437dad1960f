// Asana: tasks and projects, as the person who connects it.
import { defineIntegration } from '../../src/kit/integration.ts';
import { comments } from './comments.ts';
import { logo } from './logo.ts';
import { projects } from './projects.ts';
import { tasks } from './tasks.ts';

export const asana = defineIntegration({
  name: 'asana',
  version: '1.0.0',
  displayName: 'Asana',
  description: 'Tasks, projects, comments and files',
  categories: ['issues'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://app.asana.com/-/oauth_authorize',
    tokenUrl: 'https://app.asana.com/-/oauth_token',
    registerUrl: 'https://app.asana.com/0/my-apps',
    registerHelp:
      'Choose Create new app. Under OAuth add the redirect address and choose Full permissions. Under Manage distribution choose who may connect.',
    // Asana has no scopes for sections yet. `default` stands for full permissions.
    scopes: ['default'],
    clientAuth: 'post',
    accountPath: '/data/name',
  },
  api: { base: 'https://app.asana.com/api/1.0', credential: { in: 'bearer' } },
  token: {
    fields: [
      { key: 'token', label: 'Personal access token', secret: true, required: true, placeholder: '2/1205…' },
    ],
    credential: { in: 'bearer' },
    url: 'https://app.asana.com/0/my-apps',
    help: 'Under Personal access tokens choose Create new token. The token may do everything that you may do.',
  },
  probe: { request: 'GET /users/me', id: '/data/gid', label: '/data/email' },
  revoke: {
    at: 'https://app.asana.com/0/my-apps',
    request: {
      method: 'POST',
      url: 'https://app.asana.com/-/oauth_revoke',
      auth: 'none',
      body: {
        type: 'form',
        fields: { client_id: '{client_id}', client_secret: '{client_secret}', token: '{token}' },
      },
    },
  },
  tools: [...projects, ...tasks, ...comments],
});
