// Wikipedia in every language: search, and articles as plain text. It needs no connection.
import * as z from 'zod';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { toText } from '../web/html-text.ts';
import { logo } from './logo.ts';

const language = z
  .string()
  .regex(/^[a-z-]{2,12}$/, 'must be the code of a Wikipedia, such as en or pt')
  .default('en');
const base = (code: string) => `https://${code}.wikipedia.org/w/rest.php/v1`;

export const wikipedia = defineIntegration({
  name: 'wikipedia',
  version: '1.0.0',
  displayName: 'Wikipedia',
  description: 'Search and read the encyclopedia, in any of its languages',
  categories: ['built-in', 'docs'],
  logo,
  auth: { type: 'none' },
  tools: [
    tool(
      'wikipedia_search',
      'Search articles, best matches first',
      () => ({ query: z.string(), language, limit: z.int().min(1).max(100).default(10) }),
      async ({ query, language: code, limit }, { fetch }) => {
        const parameters = new URLSearchParams({ q: query, limit: String(limit) });
        return readPayload(await fetch(`${base(code)}/search/page?${parameters}`));
      },
    ),
    tool(
      'wikipedia_get_page',
      'Read an article as plain text',
      () => ({ title: z.string().min(1), language }),
      async ({ title, language: code }, { fetch }) => {
        const name = encodeURIComponent(title.replaceAll(' ', '_'));
        const html = await readPayload(await fetch(`${base(code)}/page/${name}/html`));
        return { title, text: toText(String(html)).text };
      },
    ),
  ],
});
