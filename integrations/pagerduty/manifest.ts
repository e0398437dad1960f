// PagerDuty: incidents, services and who is on call, in the region of the account.
import { defineIntegration } from '../../src/kit/integration.ts';
import { hooks } from './hooks.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { words } from './words.ts';

export const pagerduty = defineIntegration({
  name: 'pagerduty',
  version: '1.0.0',
  displayName: 'PagerDuty',
  description: 'Incidents, alerts, services and on-call schedules',
  categories: ['incidents', 'observability'],
  logo,
  auth: {
    type: 'apikey',
    fields: [
      {
        key: 'token',
        label: 'API key',
        secret: true,
        required: true,
        help: 'My profile, User settings: a user token; or Integrations, API access keys: one of the account',
      },
      {
        key: 'email',
        label: 'E-mail',
        secret: false,
        required: false,
        placeholder: 'you@example.com',
        help: 'Whose changes they are: an account’s key can change nothing without it',
      },
      { key: 'region', label: 'Region', secret: false, required: false, options: ['us', 'eu'] },
    ],
  },
  api: {
    base: {
      by: 'region',
      bases: { us: 'https://api.pagerduty.com', eu: 'https://api.eu.pagerduty.com' },
      otherwise: 'us',
    },
    credential: { in: 'headers', headers: { authorization: 'Token token={token}', from: '{email}' } },
    headers: { accept: 'application/vnd.pagerduty+json;version=2' },
  },
  // The key of an account belongs to no user, so this is a read that every key may send.
  probe: { request: 'GET /abilities' },
  revoke: { at: 'https://support.pagerduty.com/main/docs/api-access-keys' },
  hooks,
  words,
  tools,
});
