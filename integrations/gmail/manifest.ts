// Gmail, version 1. Mail is built and read as people write it, not as MIME.
import { defineIntegration } from '../../src/kit/integration.ts';
import { googleGrants, googleSignIn } from '../google/oauth.ts';
import { drafts } from './drafts.ts';
import { logo } from './logo.ts';
import { messages } from './messages.ts';
import { threads } from './threads.ts';
import { words } from './words.ts';

export const gmail = defineIntegration({
  name: 'gmail',
  version: '1.0.0',
  displayName: 'Gmail',
  description: 'Read, send and sort mail with Gmail',
  categories: ['messaging'],
  logo,
  auth: { ...googleSignIn, scopes: ['https://www.googleapis.com/auth/gmail.modify'] },
  api: { base: 'https://gmail.googleapis.com', credential: { in: 'bearer' } },
  probe: { request: 'GET /gmail/v1/users/me/profile', id: '/emailAddress', label: '/emailAddress' },
  revoke: googleGrants,
  words,
  tools: [...messages, ...threads, ...drafts],
});
