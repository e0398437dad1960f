// Bitbucket Cloud.
import { defineIntegration } from '../../src/kit/integration.ts';
import { atlassianToken } from '../atlassian/token.ts';
import { commitFiles } from './commit-files.ts';
import { getFile } from './get-file.ts';
import { issues } from './issues.ts';
import { logo } from './logo.ts';
import { pipelines } from './pipelines.ts';
import { addPullRequestComment } from './pull-request-comment.ts';
import { pullRequests } from './pull-requests.ts';
import { repositories } from './repositories.ts';
import { source } from './source.ts';
import { createPullRequest, updatePullRequest } from './write-pull-request.ts';
import { words } from './words.ts';

export const bitbucket = defineIntegration({
  name: 'bitbucket',
  version: '1.0.0',
  displayName: 'Bitbucket',
  description: 'Repositories, pull requests, pipelines and issues of Bitbucket Cloud',
  categories: ['code', 'ci'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://bitbucket.org/site/oauth2/authorize',
    tokenUrl: 'https://bitbucket.org/site/oauth2/access_token',
    registerUrl: 'https://bitbucket.org/account/workspaces/',
    registerHelp:
      'Open the settings of a workspace, then OAuth consumers, and choose Add consumer. Enter the redirect address under Callback URL, tick This is a private consumer and the permissions. The client id is called Key there.',
    scopes: [
      'account',
      'repository',
      'repository:write',
      'pullrequest',
      'pullrequest:write',
      'pipeline',
      'pipeline:write',
      'issue',
      'issue:write',
      'project',
      'webhook',
    ],
    clientAuth: 'basic',
  },
  // A token in a query or a body is refused since 2026-05-04.
  api: { base: 'https://api.bitbucket.org/2.0', credential: { in: 'bearer' } },
  token: atlassianToken({
    help: 'Choose Create API token with scopes, then Bitbucket, and tick the permissions below. App passwords no longer work.',
    // A write permission does not include reading.
    scopes: [
      'read:user:bitbucket',
      'read:workspace:bitbucket',
      'read:project:bitbucket',
      'read:repository:bitbucket',
      'write:repository:bitbucket',
      'read:pullrequest:bitbucket',
      'write:pullrequest:bitbucket',
      'read:pipeline:bitbucket',
      'write:pipeline:bitbucket',
      'read:issue:bitbucket',
      'write:issue:bitbucket',
    ],
  }),
  probe: { request: 'GET /user', id: '/uuid', label: '/display_name' },
  // Bitbucket has no request that ends a grant.
  revoke: { at: 'https://bitbucket.org/account/settings/app-authorizations/' },
  words,
  tools: [
    ...repositories,
    ...source,
    getFile,
    commitFiles,
    ...pullRequests,
    createPullRequest,
    updatePullRequest,
    addPullRequestComment,
    ...pipelines,
    ...issues,
  ],
});
