// Notion: pages, blocks and data sources, as a bot that sees what the person has shared with it.
import { defineIntegration } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { words } from './words.ts';

export const notion = defineIntegration({
  name: 'notion',
  version: '1.0.0',
  displayName: 'Notion',
  description: 'Pages, blocks, data sources and comments',
  categories: ['docs'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://api.notion.com/v1/oauth/authorize',
    tokenUrl: 'https://api.notion.com/v1/oauth/token',
    registerUrl: 'https://www.notion.so/developers/connections',
    registerHelp:
      'Choose Create new connection with OAuth, not an internal one, and enter the redirect address. The capabilities that you tick are what it may do.',
    // The application's settings say what the bot may do; the dialog says which pages it sees.
    scopes: [],
    clientAuth: 'basic',
    tokenBody: 'json',
    authorizeParameters: { owner: 'user' },
    accountPath: '/workspace_name',
  },
  api: {
    base: 'https://api.notion.com',
    credential: { in: 'bearer' },
    // Since this version a database is a set of data sources.
    headers: { 'notion-version': '2025-09-03' },
  },
  token: {
    fields: [{ key: 'token', label: 'Access token', secret: true, required: true, placeholder: 'ntn_…' }],
    credential: { in: 'bearer' },
    url: 'https://www.notion.so/developers/tokens',
    help: 'Choose New token with the capability Notion API. It acts as you, but cannot list users. If your workspace does not let you make one, use the secret of an internal connection from notion.so/developers/connections, and add that connection to each page that it may see.',
    scopes: ['Notion API'],
  },
  probe: { request: 'GET /v1/users/me', id: '/id', label: '/name' },
  revoke: {
    at: 'https://www.notion.so/help/add-and-manage-connections-with-the-api',
    request: {
      method: 'POST',
      url: 'https://api.notion.com/v1/oauth/revoke',
      auth: 'client',
      body: { type: 'json', fields: { token: '{access_token}' } },
      headers: { 'notion-version': '2025-09-03' },
    },
  },
  words,
  tools,
});
