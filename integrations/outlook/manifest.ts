// Outlook mail, over Microsoft Graph v1.0.
import { defineMicrosoft, IMMUTABLE_IDS, whoami } from '../microsoft/graph.ts';
import { logo } from './logo.ts';
import { folders, reading, sorting } from './read.ts';
import { writing } from './write.ts';
import { words } from './words.ts';

export const outlook = defineMicrosoft({
  name: 'outlook',
  version: '1.0.0',
  displayName: 'Outlook',
  description: 'Read, send and sort mail with Outlook',
  categories: ['messaging'],
  logo,
  scopes: ['Mail.ReadWrite', 'Mail.Send'],
  headers: { prefer: IMMUTABLE_IDS },
  words,
  tools: [whoami('outlook'), ...reading, ...writing, ...sorting, ...folders],
});
