// What each provider offers beside lists: answers, the text of pages, pages like a page, and the pages of a site.
import * as z from 'zod';
import { withoutEmpty } from '../../src/kit/without-empty.ts';
import { results } from './offers.ts';
import { get, memberOf, type Offers, post, shapeResults } from './providers.ts';

export interface Question {
  question: string;
}

const MAX_SOURCES = 20;
const Completion = z.lazy(() =>
  z.looseObject({
    choices: z.array(z.looseObject({ message: z.looseObject({ content: z.string() }) })).min(1),
  }),
);
const AiMode = z.lazy(() =>
  z.looseObject({
    reconstructed_markdown: z.string().optional(),
    text_blocks: z.array(z.looseObject({ snippet: z.string().optional() })).default([]),
  }),
);

export const answers: Offers<Question> = {
  tavily: {
    ask: ({ question: query }) => post('/search', { query, include_answer: 'advanced' }),
    read: (payload) => ({
      answer: memberOf(payload, 'answer'),
      sources: shapeResults(memberOf(payload, 'results'), MAX_SOURCES),
    }),
  },
  exa: {
    ask: ({ question: query }) => post('/answer', { query }),
    read: (payload) => ({
      answer: memberOf(payload, 'answer'),
      sources: shapeResults(memberOf(payload, 'citations'), MAX_SOURCES),
    }),
  },
  brave: {
    ask: ({ question: content }) =>
      post('/res/v1/chat/completions', {
        model: 'brave',
        stream: false,
        messages: [{ role: 'user', content }],
      }),
    // Brave names sources only in a stream.
    read: (payload) => ({ answer: Completion.parse(payload).choices[0]?.message.content, sources: [] }),
  },
  serpapi: {
    ask: ({ question: q }) => get('/search.json', { engine: 'google_ai_mode', q }),
    read: (payload) => {
      const { reconstructed_markdown, text_blocks } = AiMode.parse(payload);
      const blocks = text_blocks.flatMap(({ snippet }) => snippet ?? []).join('\n\n');
      return {
        answer: reconstructed_markdown ?? blocks,
        sources: shapeResults(memberOf(payload, 'references'), MAX_SOURCES),
      };
    },
  },
};

export interface Pages {
  urls: readonly string[];
  maxCharacters: number;
}

const Page = z.lazy(() =>
  z.looseObject({
    url: z.string(),
    title: z.string().nullish(),
    raw_content: z.string().nullish(),
    text: z.string().nullish(),
  }),
);
const Failed = z.lazy(() =>
  z.looseObject({
    failed_results: z.array(z.looseObject({ url: z.string(), error: z.string().nullish() })).default([]),
    statuses: z
      .array(
        z.looseObject({
          id: z.string(),
          status: z.string(),
          error: z.looseObject({ tag: z.string().nullish() }).nullish(),
        }),
      )
      .default([]),
  }),
);

function readPages(payload: unknown, { maxCharacters }: Pages) {
  const { failed_results, statuses } = Failed.parse(payload);
  return {
    pages: z
      .array(Page)
      .parse(memberOf(payload, 'results') ?? [])
      .map(({ url, title, raw_content, text }) => {
        const content = raw_content ?? text ?? '';
        const truncated = content.length > maxCharacters;
        return withoutEmpty({ url, title, content: content.slice(0, maxCharacters), truncated });
      }),
    failed: [
      ...failed_results.map(({ url, error }) => withoutEmpty({ url, error })),
      ...statuses
        .filter(({ status }) => status === 'error')
        .map(({ id: url, error }) => withoutEmpty({ url, error: error?.tag })),
    ],
  };
}

export const pages: Offers<Pages> = {
  tavily: { ask: ({ urls }) => post('/extract', { urls, format: 'markdown' }), read: readPages },
  // One character more shows that a page was cut.
  exa: {
    ask: ({ urls, maxCharacters }) => post('/contents', { urls, text: { maxCharacters: maxCharacters + 1 } }),
    read: readPages,
  },
};

export const similar: Offers<{ url: string; maxResults: number; excludeSourceDomain: boolean }> = {
  exa: {
    ask: ({ url, maxResults: numResults, excludeSourceDomain }) =>
      post('/findSimilar', { url, numResults, excludeSourceDomain, contents: { highlights: true } }),
    read: results,
  },
};

export const map: Offers<{ url: string; instructions?: string | undefined; limit: number }> = {
  tavily: {
    ask: ({ url, instructions, limit }) => post('/map', { url, instructions, limit }),
    read: (payload) => ({ urls: z.array(z.string()).parse(memberOf(payload, 'results') ?? []) }),
  },
};
