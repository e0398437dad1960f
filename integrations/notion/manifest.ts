// Notion: pages, blocks and data sources, as a bot that sees what the person has shared with it.
import { defineIntegration } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';

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
  tools,
});
