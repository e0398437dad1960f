// Discourse: topics and posts of a forum, through a person's browser session.
import { defineIntegration } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { tools } from './tools.ts';
import { words } from './words.ts';

export const discourse = defineIntegration({
  name: 'discourse',
  version: '1.0.0',
  displayName: 'Discourse',
  description: 'Topics, posts and people of your Discourse forum',
  categories: ['community'],
  logo,
  auth: { type: 'cookie', loginUrl: '{instance}/login' },
  instance: { required: true, example: 'https://forum.example.com', path: true },
  api: {
    base: { instancePath: '' },
    credential: { in: 'cookie' },
    // Calls it like its own pages do: it then answers with JSON, and reports when it sees the caller as
    // anonymous.
    headers: { 'x-requested-with': 'XMLHttpRequest', 'discourse-logged-in': 'true' },
  },
  // Discourse hides the page from somebody who is not signed in.
  probe: {
    request: 'GET /session/current.json',
    id: '/current_user/id',
    label: '/current_user/username',
    refused: [404],
  },
  revoke: { at: '{instance}/my/preferences/security' },
  words,
  tools,
});
