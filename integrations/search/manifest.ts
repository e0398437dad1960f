// Web search with the key of one of four providers. The tools are the same with each.
import { defineIntegration } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { PROVIDERS } from './providers.ts';
import { tools } from './tools.ts';
import { words } from './words.ts';

export const search = defineIntegration({
  name: 'search',
  version: '1.0.0',
  displayName: 'Web search',
  description: 'Search the web, news and images with a key of Tavily, Exa, Brave or SerpApi',
  categories: ['docs'],
  logo,
  auth: {
    type: 'apikey',
    fields: [
      {
        key: 'provider',
        label: 'Provider',
        secret: false,
        required: true,
        options: PROVIDERS,
        help: 'The provider that your key is from: app.tavily.com, dashboard.exa.ai, api-dashboard.search.brave.com or serpapi.com',
      },
      { key: 'apiKey', label: 'API key', secret: true, required: true },
    ],
  },
  api: {
    base: {
      by: 'provider',
      bases: {
        tavily: 'https://api.tavily.com',
        exa: 'https://api.exa.ai',
        brave: 'https://api.search.brave.com',
        serpapi: 'https://serpapi.com',
      },
    },
    credential: {
      in: 'chosen',
      by: 'provider',
      places: {
        tavily: { in: 'bearer' },
        exa: { in: 'headers', headers: { 'x-api-key': '{apiKey}' } },
        brave: { in: 'headers', headers: { 'X-Subscription-Token': '{apiKey}' } },
        serpapi: { in: 'query', parameters: { api_key: '{apiKey}' } },
      },
    },
  },
  // Exa and Brave have no request that is free, so there is no probe. Each provider has a page of its own
  // where a key ends, so none is named.
  words,
  tools,
});
