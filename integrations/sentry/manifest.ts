// Sentry: errors, releases and replays, in a region or at a self-hosted instance.
import { defineIntegration } from '../../src/kit/integration.ts';
import { hooks } from './hooks.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { words } from './words.ts';

export const sentry = defineIntegration({
  name: 'sentry',
  version: '1.0.0',
  displayName: 'Sentry',
  description: 'Errors, events, releases and replays',
  categories: ['observability'],
  logo,
  auth: {
    type: 'apikey',
    fields: [
      {
        key: 'token',
        label: 'Auth token',
        secret: true,
        required: true,
        help: 'Settings, Developer settings: an internal integration’s token, or a personal one',
      },
      { key: 'region', label: 'Region', secret: false, required: false, options: ['us', 'de'] },
    ],
  },
  instance: { required: false, example: 'https://sentry.example.com' },
  api: {
    base: {
      by: 'region',
      bases: { us: 'https://us.sentry.io', de: 'https://de.sentry.io' },
      otherwise: 'us',
      orInstance: '',
    },
    credential: { in: 'bearer' },
  },
  probe: { request: 'GET /api/0/organizations/', id: '/0/id', label: '/0/slug' },
  revoke: { at: 'https://sentry.io/settings/account/api/auth-tokens/' },
  hooks,
  words,
  tools,
});
