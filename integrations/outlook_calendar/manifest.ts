// Outlook Calendar, over Microsoft Graph v1.0.
import { defineMicrosoft, IMMUTABLE_IDS, whoami } from '../microsoft/graph.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { words } from './words.ts';

export const outlookCalendar = defineMicrosoft({
  name: 'outlook_calendar',
  version: '1.0.0',
  displayName: 'Outlook Calendar',
  description: 'Calendars, events, invitations and free time in Outlook',
  categories: ['calendar'],
  logo,
  scopes: ['Calendars.ReadWrite'],
  headers: { prefer: IMMUTABLE_IDS },
  words,
  tools: [whoami('outlook_calendar'), ...tools],
});
