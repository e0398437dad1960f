// monday.com: one GraphQL address.
import { defineIntegration } from '../../src/kit/integration.ts';
import { boards } from './boards.ts';
import { items } from './items.ts';
import { logo } from './logo.ts';
import { updates } from './updates.ts';
import { words } from './words.ts';

const HELP = 'https://developer.monday.com/api-reference/docs/authentication';

export const monday = defineIntegration({
  name: 'monday',
  version: '1.0.0',
  displayName: 'monday.com',
  description: 'Boards, items, updates and files',
  categories: ['issues'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://auth.monday.com/oauth2/authorize',
    tokenUrl: 'https://auth.monday.com/oauth2/token',
    registerUrl: 'https://monday.com/developers/apps/manage',
    registerHelp: 'Choose Create app. Under OAuth add the redirect address and tick the scopes.',
    scopes: [
      'me:read',
      'users:read',
      'workspaces:read',
      'boards:read',
      'boards:write',
      'updates:read',
      'updates:write',
      'assets:read',
    ],
    clientAuth: 'post',
  },
  api: {
    base: 'https://api.monday.com',
    credential: { in: 'bearer' },
    headers: { 'api-version': '2026-07' },
    // Every GraphQL request has the same address and method: its text reads, changes or deletes.
    methodsMeanNothing: true,
    // GraphQL reports refusals with status 200. A wrong token gets 401.
    refusal: { at: '/data', is: null, code: '/errors/0/extensions/code', unauthorized: [] },
  },
  token: {
    fields: [
      { key: 'token', label: 'Personal API token', secret: true, required: true, placeholder: 'eyJ…' },
    ],
    credential: { in: 'headers', headers: { authorization: '{token}' } },
    url: HELP,
    help: 'In monday.com open your picture, then Developers, API token, and choose Show. The token may do everything that you may do.',
  },
  probe: {
    request: 'POST /v2',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{me{id email}}"}',
    id: '/data/me/id',
    label: '/data/me/email',
  },
  revoke: { at: HELP },
  words,
  tools: [...boards, ...items, ...updates],
});
