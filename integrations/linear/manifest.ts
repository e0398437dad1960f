// Linear: one GraphQL address.
import { defineIntegration } from '../../src/kit/integration.ts';
import { issues } from './issues.ts';
import { hooks } from './hooks.ts';
import { logo } from './logo.ts';
import { projects } from './projects.ts';
import { teams } from './teams.ts';
import { words } from './words.ts';

export const linear = defineIntegration({
  name: 'linear',
  version: '1.0.0',
  displayName: 'Linear',
  description: 'Issues, projects, cycles and teams',
  categories: ['issues'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://linear.app/oauth/authorize',
    tokenUrl: 'https://api.linear.app/oauth/token',
    registerUrl: 'https://linear.app/settings/api/applications/new',
    registerHelp:
      'Enter the redirect address under Callback URLs. Turn Public on if people of other workspaces will connect.',
    scopes: ['read', 'write'],
    scopeSeparator: ',',
    clientAuth: 'post',
    // Acts as the person, not as an application, and asks for the workspace each time.
    authorizeParameters: { actor: 'user', prompt: 'consent' },
  },
  api: {
    base: 'https://api.linear.app',
    credential: { in: 'bearer' },
    // Every GraphQL request has the same address and method: its text reads, changes or deletes.
    methodsMeanNothing: true,
    // GraphQL reports refusals with status 200.
    refusal: {
      at: '/data',
      is: null,
      code: '/errors/0/extensions/code',
      unauthorized: ['AUTHENTICATION_ERROR'],
    },
  },
  token: {
    fields: [
      {
        key: 'apiKey',
        label: 'Personal API key',
        secret: true,
        required: true,
        placeholder: 'lin_api_…',
      },
    ],
    // Linear takes the word Bearer only before the token of a sign-in.
    credential: { in: 'headers', headers: { authorization: '{apiKey}' } },
    url: 'https://linear.app/settings/account/security',
    help: 'Under Personal API keys choose New API key, with the permissions Read and Write.',
    scopes: ['Read', 'Write'],
  },
  probe: {
    request: 'POST /graphql',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{viewer{id email}}"}',
    id: '/data/viewer/id',
    label: '/data/viewer/email',
  },
  revoke: {
    at: 'https://linear.app/settings/account/security',
    request: {
      method: 'POST',
      url: 'https://api.linear.app/oauth/revoke',
      auth: 'none',
      body: { type: 'form', fields: { token: '{token}' } },
      gone: [400, 401],
    },
  },
  hooks,
  words,
  tools: [...teams, ...issues, ...projects],
});
