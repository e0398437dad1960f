// Wikipedia in every language: search, and articles as plain text. It needs no connection.
import * as z from 'zod';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { toText } from '../html/to-text.ts';
import { logo } from './logo.ts';
import { cutSection } from './sections.ts';
import { words } from './words.ts';

const language = () =>
  z
    .string()
    .regex(/^[a-z-]{2,12}$/, 'must be the code of a Wikipedia, such as en or pt')
    .default('en')
    .describe('Language code of the Wikipedia, e.g. en or pt');
const base = (code: string) => `https://${code}.wikipedia.org/w/rest.php/v1`;

export const wikipedia = defineIntegration({
  name: 'wikipedia',
  version: '1.0.0',
  displayName: 'Wikipedia',
  description: 'Search and read the encyclopedia, in any of its languages',
  categories: ['built-in', 'docs'],
  logo,
  auth: { type: 'none' },
  words,
  tools: [
    tool(
      'wikipedia_search',
      'Search Wikipedia articles, best matches first',
      () => ({
        query: z.string().describe('Words to find'),
        language: language(),
        limit: z.int().min(1).max(100).default(10).describe('Articles to return'),
      }),
      async ({ query, language: code, limit }, { fetch }) => {
        const parameters = new URLSearchParams({ q: query, limit: String(limit) });
        return readPayload(await fetch(`${base(code)}/search/page?${parameters}`));
      },
    ),
    tool(
      'wikipedia_get_page',
      'Get a Wikipedia article, or one section of it, as plain text',
      () => ({
        title: z.string().min(1).describe('`title` from wikipedia_search, e.g. Alan Turing'),
        section: z
          .string()
          .min(1)
          .optional()
          .describe('Heading of the section to read, e.g. Early life; a wrong one is answered with the list'),
        language: language(),
      }),
      async ({ title, section, language: code }, { fetch }) => {
        const name = encodeURIComponent(title.replaceAll(' ', '_'));
        const html = String(await readPayload(await fetch(`${base(code)}/page/${name}/html`)));
        if (section === undefined) return { title, text: toText(html).text };
        return { title, section, text: toText(cutSection(html, section)).text };
      },
    ),
  ],
});
