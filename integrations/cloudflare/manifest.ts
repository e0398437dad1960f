// Cloudflare: domains, their DNS and cache, and what runs at the edge.
import { defineIntegration } from '../../src/kit/integration.ts';
import { developer } from './developer.ts';
import { logo } from './logo.ts';
import { zones } from './zones.ts';
import { words } from './words.ts';

export const cloudflare = defineIntegration({
  name: 'cloudflare',
  version: '1.0.0',
  displayName: 'Cloudflare',
  description: 'DNS records, cache, Workers, Pages, R2 and KV',
  categories: ['code', 'ci'],
  logo,
  auth: {
    type: 'apikey',
    fields: [
      {
        key: 'token',
        label: 'API token',
        secret: true,
        required: true,
        help: 'My Profile, API Tokens, Create Token. Tick what the tools need, such as Zone Read, DNS Edit, Cache Purge, Workers Scripts Read, Cloudflare Pages Edit, Workers R2 Storage Read and Workers KV Storage Read. A token of an account does not work.',
      },
    ],
  },
  api: { base: 'https://api.cloudflare.com/client/v4', credential: { in: 'bearer' } },
  // A text that is no token at all is refused with 400. The id is that of the token, which names no person.
  // The answer has the id of the token, which says nothing of the account.
  probe: { request: 'GET /user/tokens/verify', refused: [400] },
  revoke: { at: 'https://dash.cloudflare.com/profile/api-tokens' },
  words,
  tools: [...zones, ...developer],
});
