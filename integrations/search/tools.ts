// The tools of web search. They are the same with each provider.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import * as more from './answers.ts';
import * as offers from './offers.ts';
import * as plan from './plan.ts';
import { perform } from './providers.ts';

const text = z.string();
const query = text.min(1).max(400).describe('Words to look for, such as solar panels balcony rules Germany');
const maxResults = z.int().min(1).max(20).default(10).describe('Results to return, at most 20');
const page = z
  .int()
  .min(1)
  .max(10)
  .optional()
  .describe('Page of results, 1 for the first; only with Brave and SerpApi');
const freshness = z
  .enum(['day', 'week', 'month', 'year'])
  .optional()
  .describe('Only what is not older than this');
const country = text
  .regex(/^[A-Za-z]{2}$/, 'is not a code such as DE')
  .optional()
  .describe('Country whose results come first, as a code such as DE');
const domains = () => z.array(text.regex(/^[\w.-]+$/, 'is not a domain such as example.com')).optional();
const sites = () => ({
  includeDomains: domains().describe('Only results of these sites, such as ["example.com"]'),
  excludeDomains: domains().describe('No results of these sites'),
});
const address = z.url({ protocol: /^https?$/ });

export const tools: readonly Tool[] = [
  tool(
    'search_web',
    'Search the web: titles, addresses and excerpts of pages',
    () => ({ query, maxResults, page, freshness, country, ...sites() }),
    (args, context) => perform('search for pages', offers.web, args, context),
  ),
  tool(
    'search_news',
    'Search the news: articles with their dates',
    () => ({ query, maxResults, page, freshness, country, ...sites() }),
    (args, context) => perform('search for news', offers.news, args, context),
  ),
  tool(
    'search_images',
    'Search for images: their addresses, and the pages that they are on',
    () => ({
      query,
      maxResults,
      page: page.describe('Page of results, 1 for the first; only with SerpApi'),
      country,
    }),
    (args, context) => perform('search for images', offers.images, args, context),
  ),
  tool(
    'search_videos',
    'Search for videos; with a key of Brave or SerpApi',
    () => ({ query, maxResults, page, freshness, country }),
    (args, context) => perform('search for videos', offers.videos, args, context),
  ),
  tool(
    'search_papers',
    'Search for scientific papers; with a key of Exa or SerpApi',
    () => ({ query, maxResults, page: page.describe('Page of results, 1 for the first; only with SerpApi') }),
    (args, context) => perform('search for papers', offers.papers, args, context),
  ),
  tool(
    'search_answer',
    'Answer a question from the web, with its sources',
    () => ({ question: text.min(1).max(400).describe('Question in whole words, such as who won the race') }),
    (args, context) => perform('answers', more.answers, args, context),
  ),
  tool(
    'search_extract',
    'Read the text of web pages as Markdown, also of pages that need a browser; with a key of Tavily or Exa',
    () => ({
      urls: z.array(address).min(1).max(20).describe('Addresses of the pages, at most 20'),
      maxCharacters: z
        .int()
        .min(100)
        .max(100_000)
        .default(10_000)
        .describe('Characters of each page, at most 100000'),
    }),
    (args, context) => perform('text of pages', more.pages, args, context),
  ),
  tool(
    'search_similar',
    'Find pages that are like a page; with a key of Exa',
    () => ({
      url: address.describe('Address of the page, such as https://example.com/article'),
      maxResults,
      excludeSourceDomain: z.boolean().default(true).describe('false returns pages of the same site too'),
    }),
    (args, context) => perform('similar pages', more.similar, args, context),
  ),
  tool(
    'search_map_site',
    'List the addresses of the pages of a site; with a key of Tavily',
    () => ({
      url: address.describe('Address where the site begins, such as https://docs.example.com'),
      instructions: text.optional().describe('Which pages are wanted, in words'),
      limit: z.int().min(1).max(200).default(50).describe('Addresses to return, at most 200'),
    }),
    (args, context) => perform('map of a site', more.map, args, context),
  ),
  tool(
    'search_suggest_queries',
    'Suggest queries that begin like a few letters or words; with a key of Brave or SerpApi',
    () => ({ query, country }),
    (args, context) => perform('suggestions', plan.suggest, args, context),
  ),
  tool(
    'search_get_usage',
    'Show how much of the plan is used; with a key of Tavily or SerpApi',
    () => ({}),
    (args, context) => perform('request for the usage', plan.usage, args, context),
  ),
];
