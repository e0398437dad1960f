// GitLab, at gitlab.com or at a self-hosted instance.
import { defineIntegration } from '../../src/kit/integration.ts';
import { createMergeRequest } from './create-merge-request.ts';
import { issues } from './issues.ts';
import { hooks } from './hooks.ts';
import { logo } from './logo.ts';
import { mergeRequests } from './merge-requests.ts';
import { pipelines } from './pipelines.ts';
import { projects } from './projects.ts';
import { repository } from './repository.ts';
import { search } from './search.ts';
import { words } from './words.ts';

export const gitlab = defineIntegration({
  name: 'gitlab',
  version: '1.0.0',
  displayName: 'GitLab',
  description:
    'Projects, code, merge requests, issues and pipelines, at gitlab.com or an instance of your own',
  categories: ['code', 'ci'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: '{instance}/oauth/authorize',
    tokenUrl: '{instance}/oauth/token',
    registerUrl: '{instance}/-/user_settings/applications',
    registerHelp:
      'Choose Add new application, enter the redirect address, leave Confidential ticked and tick the scope.',
    scopes: ['api'],
    clientAuth: 'post',
    refreshWithRedirectUri: true,
  },
  instance: { required: false, default: 'https://gitlab.com', example: 'https://gitlab.corp.example' },
  api: { base: { instancePath: '/api/v4' }, credential: { in: 'bearer' } },
  token: {
    fields: [
      {
        key: 'token',
        label: 'Personal access token',
        secret: true,
        required: true,
        placeholder: 'glpat-…',
      },
    ],
    // This header takes tokens of people, projects and groups, and impersonation tokens.
    credential: { in: 'headers', headers: { 'private-token': '{token}' } },
    url: '{instance}/-/user_settings/personal_access_tokens?name=Tool+gateway&scopes=api',
    help: 'The scope is ticked already: choose an expiration date and then Create token. The token of a project or a group works too.',
    scopes: ['api'],
  },
  probe: { request: 'GET /user', id: '/id', label: '/username' },
  revoke: {
    at: '{instance}/-/user_settings/applications',
    request: {
      method: 'POST',
      url: '{instance}/oauth/revoke',
      auth: 'none',
      body: {
        type: 'form',
        fields: { client_id: '{client_id}', client_secret: '{client_secret}', token: '{token}' },
      },
    },
  },
  hooks,
  words,
  tools: [...projects, ...repository, ...mergeRequests, createMergeRequest, ...issues, ...pipelines, search],
});
