// Jira Cloud: issues of the site that the person has chosen.
import { defineIntegration } from '../../src/kit/integration.ts';
import { atlassianSignIn, site } from '../atlassian/oauth.ts';
import { atlassianGrants, siteToken } from '../atlassian/token.ts';
import { attachments } from './attachments.ts';
import { hooks } from './hooks.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { writing } from './writing.ts';
import { words } from './words.ts';

export const jira = defineIntegration({
  name: 'jira',
  version: '1.0.0',
  displayName: 'Jira',
  description: 'Issues, comments, worklogs and projects of Jira Cloud',
  categories: ['issues'],
  logo,
  auth: atlassianSignIn('read:jira-work', ['write:jira-work', 'read:jira-user']),
  instance: site,
  api: { base: 'https://api.atlassian.com/ex/jira/{cloudId}', credential: { in: 'bearer' } },
  token: siteToken,
  probe: { request: 'GET /rest/api/3/myself', id: '/accountId', label: '/displayName' },
  revoke: atlassianGrants,
  hooks,
  words,
  tools: [...tools, ...writing, ...attachments],
});
