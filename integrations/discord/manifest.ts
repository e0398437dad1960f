// Discord: servers, channels and messages, as a bot that a person has made and invited.
import { defineIntegration } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { messages } from './messages.ts';
import { servers } from './servers.ts';
import { words } from './words.ts';

export const discord = defineIntegration({
  name: 'discord',
  version: '1.0.0',
  displayName: 'Discord',
  description: 'Servers, channels, threads, messages, members and roles',
  categories: ['messaging'],
  logo,
  auth: {
    type: 'apikey',
    fields: [
      {
        key: 'token',
        label: 'Bot token',
        secret: true,
        required: true,
        help: 'Open your app at discord.com/developers/applications, then Bot and Reset Token. Turn on Server Members Intent and Message Content Intent there, and invite the bot to your server under Installation.',
      },
    ],
  },
  api: {
    base: 'https://discord.com/api/v10',
    credential: { in: 'headers', headers: { authorization: 'Bot {token}' } },
    // Discord blocks clients without a user agent of this form. docs: User Agent
    headers: { 'user-agent': 'DiscordBot (https://discord.com/developers/applications, 1.0.0)' },
  },
  probe: { request: 'GET /users/@me', id: '/id', label: '/username' },
  revoke: { at: 'https://discord.com/developers/applications' },
  words,
  tools: [...servers, ...messages],
});
