// Airtable: bases, tables and records, as the person who connects it.
import { defineIntegration } from '../../src/kit/integration.ts';
import { comments } from './comments.ts';
import { logo } from './logo.ts';
import { records } from './records.ts';
import { schema } from './schema.ts';
import { words } from './words.ts';

const SCOPES = [
  'data.records:read',
  'data.records:write',
  'data.recordComments:read',
  'data.recordComments:write',
  'schema.bases:read',
  'schema.bases:write',
  'user.email:read',
];

export const airtable = defineIntegration({
  name: 'airtable',
  version: '1.0.0',
  displayName: 'Airtable',
  description: 'Bases, tables, records, comments and files',
  categories: ['docs'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://airtable.com/oauth2/v1/authorize',
    tokenUrl: 'https://airtable.com/oauth2/v1/token',
    registerUrl: 'https://airtable.com/create/oauth',
    registerHelp:
      'Choose Register new OAuth integration and enter the redirect address. Then generate a client secret and tick the scopes.',
    scopes: SCOPES,
    clientAuth: 'basic',
  },
  api: {
    base: 'https://api.airtable.com',
    others: { content: 'https://content.airtable.com' },
    credential: { in: 'bearer' },
  },
  token: {
    fields: [
      { key: 'token', label: 'Personal access token', secret: true, required: true, placeholder: 'pat…' },
    ],
    credential: { in: 'bearer' },
    url: 'https://airtable.com/create/tokens',
    help: 'Choose Create new token, add the scopes, and under Access add the bases or workspaces that the token may use.',
    scopes: SCOPES,
  },
  probe: { request: 'GET /v0/meta/whoami', id: '/id', label: '/email' },
  revoke: { at: 'https://airtable.com/account' },
  words,
  tools: [...schema, ...records, ...comments],
});
