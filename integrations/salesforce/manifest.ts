// Salesforce: the records and reports of an org. The token response says where its API is.
import { defineIntegration } from '../../src/kit/integration.ts';
import { files } from './files.ts';
import { logo } from './logo.ts';
import { records } from './records.ts';
import { reports } from './reports.ts';
import { searching } from './searching.ts';
import { words } from './words.ts';

export const salesforce = defineIntegration({
  name: 'salesforce',
  version: '1.0.0',
  displayName: 'Salesforce',
  description: 'Accounts, contacts, leads, opportunities, cases and reports of your org',
  categories: ['sales'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: '{instance}/services/oauth2/authorize',
    tokenUrl: '{instance}/services/oauth2/token',
    registerUrl: 'https://login.salesforce.com/',
    registerHelp:
      'In Setup open External Client App Manager and choose New External Client App. Enable OAuth, and enter the redirect address and the scopes: manage user data via APIs, perform requests at any time, and the identity URL service. A sandbox or a My Domain signs in at its own address, for which you enter the client separately.',
    scopes: ['api', 'refresh_token', 'id'],
    clientAuth: 'post',
    apiHost: { at: '/instance_url', below: ['salesforce.com', 'salesforce.mil', 'force.com'] },
  },
  instance: {
    required: false,
    default: 'https://login.salesforce.com',
    example: 'https://acme.my.salesforce.com',
  },
  api: { base: 'https://{apiHost}', credential: { in: 'bearer' } },
  // Salesforce answers 403 to a token that has ended.
  probe: {
    request: 'GET /services/oauth2/userinfo',
    id: '/user_id',
    label: '/preferred_username',
    refused: [403],
  },
  revoke: {
    at: 'https://help.salesforce.com/s/articleView?id=sf.remoteaccess_revoke_token.htm&type=5',
    request: {
      method: 'POST',
      url: '{instance}/services/oauth2/revoke',
      auth: 'none',
      body: { type: 'form', fields: { token: '{token}' } },
      gone: [400],
    },
  },
  words,
  tools: [...searching, ...records, ...reports, ...files],
});
