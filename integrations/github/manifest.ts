// GitHub: github.com and GitHub Enterprise Server.
import { defineIntegration } from '../../src/kit/integration.ts';
import { actions } from './actions.ts';
import { files } from './files.ts';
import { issues } from './issues.ts';
import { hooks } from './hooks.ts';
import { logo } from './logo.ts';
import { notifications } from './notifications.ts';
import { pullRequests } from './pull-requests.ts';
import { releases } from './releases.ts';
import { repositories } from './repositories.ts';
import { reviews } from './reviews.ts';
import { words } from './words.ts';

export const github = defineIntegration({
  name: 'github',
  version: '1.0.0',
  displayName: 'GitHub',
  description: 'Repositories, issues, pull requests and Actions on GitHub or your own Enterprise Server',
  categories: ['code', 'ci'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: '{instance}/login/oauth/authorize',
    tokenUrl: '{instance}/login/oauth/access_token',
    registerUrl: '{instance}/settings/applications/new',
    registerHelp:
      'Enter the redirect address under Authorization callback URL, choose Register application, and then Generate a new client secret.',
    scopes: ['repo', 'read:org', 'workflow', 'gist'],
    clientAuth: 'post',
  },
  instance: { required: false, default: 'https://github.com', example: 'https://github.example.com' },
  api: {
    base: {
      instancePath: '/api/v3',
      at: { 'https://github.com': 'https://api.github.com', 'https://*.ghe.com': 'https://api.*.ghe.com' },
    },
    credential: { in: 'bearer' },
    // Enterprise Servers know this version too. Since version 2026-03-10 a dispatch answers differently.
    headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
  },
  token: {
    fields: [
      {
        key: 'token',
        label: 'Personal access token',
        secret: true,
        required: true,
        placeholder: 'ghp_… or github_pat_…',
      },
    ],
    credential: { in: 'bearer' },
    url: '{instance}/settings/tokens/new?scopes=repo,read:org,workflow,gist&description=Tool%20gateway',
    help: 'The scopes are ticked already: choose an expiration and then Generate token. A fine-grained token works too, for the repositories and permissions that you choose. You make it under Fine-grained tokens on the same page. If your organization uses single sign-on, authorize the token for it.',
    scopes: ['repo', 'read:org', 'workflow', 'gist'],
    removeAt: '{instance}/settings/tokens',
  },
  probe: { request: 'GET /user', id: '/id', label: '/login' },
  // Deleting the grant ends every token that this client has for the person.
  revoke: {
    at: '{instance}/settings/applications',
    request: {
      method: 'DELETE',
      url: '{api}/applications/{client_id}/grant',
      auth: 'client',
      body: { type: 'json', fields: { access_token: '{access_token}' } },
      headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
      gone: [404],
    },
  },
  hooks,
  words,
  tools: [
    ...repositories,
    ...files,
    ...releases,
    ...issues,
    ...pullRequests,
    ...reviews,
    ...actions,
    ...notifications,
  ],
});
