// Trello: boards, lists and cards, as the person whose token it is.
import { defineIntegration } from '../../src/kit/integration.ts';
import { attachments } from './attachments.ts';
import { boards } from './boards.ts';
import { cards } from './cards.ts';
import { logo } from './logo.ts';
import { words } from './words.ts';

export const trello = defineIntegration({
  name: 'trello',
  version: '1.0.0',
  displayName: 'Trello',
  description: 'Boards, lists, cards, checklists and comments',
  categories: ['issues'],
  logo,
  auth: {
    type: 'apikey',
    fields: [
      {
        key: 'apiKey',
        label: 'API key',
        secret: true,
        required: true,
        help: 'At trello.com/power-ups/admin make a Power-Up of your own, then choose API key and Generate a new API key.',
      },
      {
        key: 'token',
        label: 'Token',
        secret: true,
        required: true,
        placeholder: 'ATTA…',
        help: 'Beside the API key choose the link Token and allow the access. The token may do everything that you may do.',
      },
    ],
  },
  api: {
    base: 'https://api.trello.com/1',
    // Both could go into the query too, where logs would keep them.
    credential: {
      in: 'headers',
      headers: { authorization: 'OAuth oauth_consumer_key="{apiKey}", oauth_token="{token}"' },
    },
  },
  probe: { request: 'GET /members/me', id: '/id', label: '/username' },
  revoke: { at: 'https://trello.com/my/account' },
  words,
  tools: [...boards, ...cards, ...attachments],
});
