// Google Calendar, version 3.
import { defineIntegration } from '../../src/kit/integration.ts';
import { googleGrants, googleSignIn } from '../google/oauth.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { words } from './words.ts';

export const gcalendar = defineIntegration({
  name: 'gcalendar',
  version: '1.0.0',
  displayName: 'Google Calendar',
  description: 'Calendars, events and free time on Google Calendar',
  categories: ['calendar'],
  logo,
  auth: { ...googleSignIn, scopes: ['https://www.googleapis.com/auth/calendar'] },
  api: { base: 'https://www.googleapis.com/calendar/v3', credential: { in: 'bearer' } },
  // The id of a person's own calendar is their address.
  probe: { request: 'GET /calendars/primary', id: '/id', label: '/id' },
  revoke: googleGrants,
  words,
  tools,
});
