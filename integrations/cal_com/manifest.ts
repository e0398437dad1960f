// Cal.com: event types, free times and bookings of an account.
import { defineIntegration } from '../../src/kit/integration.ts';
import { hooks } from './hooks.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { words } from './words.ts';

export const calCom = defineIntegration({
  name: 'cal_com',
  version: '1.0.0',
  displayName: 'Cal.com',
  description: 'Event types, free times, bookings and schedules',
  categories: ['calendar'],
  logo,
  auth: {
    type: 'apikey',
    fields: [
      {
        key: 'apiKey',
        label: 'API key',
        secret: true,
        required: true,
        placeholder: 'cal_live_…',
        help: 'Settings, Developer, API keys',
      },
    ],
  },
  api: { base: 'https://api.cal.com', credential: { in: 'bearer' } },
  probe: { request: 'GET /v2/me', id: '/data/id', label: '/data/email' },
  revoke: { at: 'https://app.cal.com/settings/developer/api-keys' },
  hooks,
  words,
  tools,
});
