// Zendesk Support: tickets and the people who write them, at the subdomain of a company.
import { defineIntegration } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { people } from './people.ts';
import { tickets } from './tickets.ts';
import { writing } from './writing.ts';
import { words } from './words.ts';

export const zendesk = defineIntegration({
  name: 'zendesk',
  version: '1.0.0',
  displayName: 'Zendesk',
  description: 'Support tickets, comments, users, views and macros',
  categories: ['issues'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: '{instance}/oauth/authorizations/new',
    tokenUrl: '{instance}/oauth/tokens',
    registerUrl: 'https://support.zendesk.com/hc/en-us/articles/4408845965210',
    registerHelp:
      'In the Admin Center of your Zendesk open Apps and integrations, APIs, OAuth clients, and add a confidential client with the redirect address. Its unique identifier is the client id. Enter it for the address of your Zendesk.',
    scopes: ['read', 'write'],
    clientAuth: 'post',
    tokenBody: 'json',
  },
  instance: { required: true, example: 'https://acme.zendesk.com' },
  api: {
    base: { instancePath: '/api/v2' },
    credential: { in: 'bearer' },
    idempotency: { header: 'idempotency-key', requests: ['POST /tickets'] },
  },
  token: {
    fields: [
      {
        key: 'email',
        label: 'E-mail of your Zendesk account',
        secret: false,
        required: true,
        placeholder: 'you@example.com',
      },
      { key: 'token', label: 'API token', secret: true, required: true, placeholder: '6wiIBWbG…' },
    ],
    credential: { in: 'basic', user: '{email}/token', password: '{token}' },
    url: 'https://support.zendesk.com/hc/en-us/articles/4408889192858',
    help: 'An administrator makes it in the Admin Center, under Apps and integrations, APIs, API tokens. It may do everything that the account with this e-mail may do.',
  },
  // Zendesk answers somebody who is not signed in with a user whose id is null.
  probe: { request: 'GET /users/me', id: '/user/id', label: '/user/email' },
  revoke: {
    at: 'https://support.zendesk.com/hc/en-us/articles/4408889192858',
    request: { method: 'DELETE', url: '{api}/oauth/tokens/current.json', auth: 'token', gone: [401] },
  },
  words,
  tools: [...tickets, ...writing, ...people],
});
