// Confluence Cloud: pages of the site that the person has chosen.
import { defineIntegration } from '../../src/kit/integration.ts';
import { atlassianSignIn, site } from '../atlassian/oauth.ts';
import { atlassianGrants, siteToken } from '../atlassian/token.ts';
import { attachments } from './attachments.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { writing } from './writing.ts';
import { words } from './words.ts';

export const confluence = defineIntegration({
  name: 'confluence',
  version: '1.0.0',
  displayName: 'Confluence',
  description: 'Spaces, pages, comments and labels of Confluence Cloud',
  categories: ['docs'],
  logo,
  // Version 2 of the API accepts only granular scopes.
  auth: atlassianSignIn('read:page:confluence', [
    'write:page:confluence',
    'delete:page:confluence',
    'read:space:confluence',
    'read:comment:confluence',
    'write:comment:confluence',
    'read:attachment:confluence',
    'read:label:confluence',
    'read:content-details:confluence',
  ]),
  instance: site,
  api: { base: 'https://api.atlassian.com/ex/confluence/{cloudId}', credential: { in: 'bearer' } },
  token: siteToken,
  probe: { request: 'GET /wiki/rest/api/user/current', id: '/accountId', label: '/displayName' },
  revoke: atlassianGrants,
  words,
  tools: [...tools, ...attachments, ...writing],
});
