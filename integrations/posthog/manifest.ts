// PostHog: insights, flags and people of a product, in the region of the account.
import { defineIntegration } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { words } from './words.ts';

export const posthog = defineIntegration({
  name: 'posthog',
  version: '1.0.0',
  displayName: 'PostHog',
  description: 'Insights, dashboards, feature flags and people of your product',
  categories: ['analytics'],
  logo,
  auth: {
    type: 'apikey',
    fields: [
      {
        key: 'apiKey',
        label: 'Personal API key',
        secret: true,
        required: true,
        placeholder: 'phx_…',
        help: 'Settings, Personal API keys; not the key of a project, which only sends events',
      },
      { key: 'region', label: 'Region', secret: false, required: false, options: ['us', 'eu'] },
    ],
  },
  api: {
    base: {
      by: 'region',
      bases: { us: 'https://us.posthog.com', eu: 'https://eu.posthog.com' },
      otherwise: 'us',
    },
    credential: { in: 'bearer' },
  },
  probe: { request: 'GET /api/users/@me/', id: '/uuid', label: '/email' },
  revoke: { at: 'https://app.posthog.com/settings/user-api-keys' },
  words,
  tools,
});
