// Slack, as the person who connects it: with a user token, not a bot token.
import { defineIntegration } from '../../src/kit/integration.ts';
import { conversations } from './conversations.ts';
import { files } from './files.ts';
import { hooks } from './hooks.ts';
import { logo } from './logo.ts';
import { messages } from './messages.ts';
import { people } from './people.ts';
import { words } from './words.ts';

const SCOPES = [
  'channels:read',
  'groups:read',
  'im:read',
  'mpim:read',
  'channels:history',
  'groups:history',
  'im:history',
  'mpim:history',
  'channels:write',
  'groups:write',
  'im:write',
  'mpim:write',
  'chat:write',
  'search:read',
  'reactions:write',
  'pins:write',
  'files:read',
  'files:write',
  'users:read',
  'users:read.email',
  'users.profile:write',
];

/** Fills in the form for an app of one's own. It asks for user scopes only. */
const APP = {
  display_information: { name: 'Tool gateway' },
  oauth_config: { scopes: { user: SCOPES } },
};

export const slack = defineIntegration({
  name: 'slack',
  version: '1.0.0',
  displayName: 'Slack',
  description: 'Channels, messages, people and files of a Slack workspace',
  categories: ['messaging'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    registerUrl: 'https://api.slack.com/apps',
    registerHelp:
      'Choose Create New App, From scratch. Under OAuth & Permissions add the redirect address and the scopes as User Token Scopes. The id and the secret are under Basic Information.',
    // `scope` would ask for a bot token.
    scopeParameter: 'user_scope',
    scopeSeparator: ',',
    scopes: SCOPES,
    clientAuth: 'post',
    // The root of the response may hold a bot token beside the user's, and only a bot token when the app has
    // no user scopes.
    tokenPath: '/authed_user',
    accountPath: '/team/name',
  },
  api: {
    base: 'https://slack.com/api',
    others: { files: 'https://files.slack.com' },
    credential: { in: 'bearer' },
    // Each method of the Web API takes its arguments from a GET too: GET /chat.delete deletes.
    methodsMeanNothing: true,
    refusal: {
      at: '/ok',
      is: false,
      code: '/error',
      unauthorized: ['token_expired', 'token_revoked', 'invalid_auth', 'not_authed', 'account_inactive'],
    },
  },
  token: {
    fields: [
      { key: 'token', label: 'User OAuth Token', secret: true, required: true, placeholder: 'xoxp-…' },
    ],
    credential: { in: 'bearer' },
    url: `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(APP))}`,
    help: 'Slack opens with the form for an app of your own, filled in. Choose your workspace, then Create, then Install to Workspace. Copy the User OAuth Token from OAuth & Permissions, not the one of a bot.',
    scopes: SCOPES,
  },
  probe: { request: 'POST /auth.test', id: '/user_id', label: '/user' },
  revoke: {
    at: 'https://my.slack.com/apps/manage',
    request: { method: 'POST', url: 'https://slack.com/api/auth.revoke', auth: 'token' },
  },
  hooks,
  words,
  tools: [...conversations, ...messages, ...people, ...files],
});
