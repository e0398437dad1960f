// HubSpot: the records of its CRM, of an account that a person signs in to.
import { defineIntegration } from '../../src/kit/integration.ts';
import { activities } from './activities.ts';
import { hooks } from './hooks.ts';
import { logo } from './logo.ts';
import { records } from './records.ts';
import { structure } from './structure.ts';
import { words } from './words.ts';

const SCOPES = [
  'oauth',
  'crm.objects.contacts.read',
  'crm.objects.contacts.write',
  'crm.objects.companies.read',
  'crm.objects.companies.write',
  'crm.objects.deals.read',
  'crm.objects.deals.write',
  'crm.objects.owners.read',
  'tickets',
];

export const hubspot = defineIntegration({
  name: 'hubspot',
  version: '1.0.0',
  displayName: 'HubSpot',
  description: 'Contacts, companies, deals, tickets, notes and tasks of your CRM',
  categories: ['sales'],
  logo,
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://app.hubspot.com/oauth/authorize',
    tokenUrl: 'https://api.hubapi.com/oauth/2026-03/token',
    registerUrl: 'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/create-an-app',
    registerHelp:
      'Create an app that signs in with OAuth, and enter the redirect address and the scopes in its configuration. The id and the secret are on the Auth tab of the app.',
    scopes: SCOPES,
    clientAuth: 'post',
  },
  api: { base: 'https://api.hubapi.com', credential: { in: 'bearer' } },
  token: {
    fields: [{ key: 'token', label: 'Service key', secret: true, required: true, placeholder: 'pat-na1-…' }],
    credential: { in: 'bearer' },
    url: 'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/account-service-keys',
    help: 'In HubSpot open Development, then Keys and Service keys, and choose Create service key. Add the scopes. The access token of a private app works too.',
    scopes: SCOPES.filter((scope) => scope !== 'oauth'),
  },
  // A key belongs to an account, not to a person.
  probe: { request: 'GET /account-info/2026-03/details', id: '/portalId', label: '/portalId' },
  revoke: {
    at: 'https://knowledge.hubspot.com/integrations/connect-apps-to-hubspot',
    request: {
      method: 'POST',
      url: 'https://api.hubapi.com/oauth/2026-03/token/revoke',
      auth: 'none',
      body: {
        type: 'form',
        fields: { client_id: '{client_id}', client_secret: '{client_secret}', token: '{token}' },
      },
    },
  },
  hooks,
  words,
  tools: [...structure, ...records, ...activities],
});
