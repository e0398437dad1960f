// The providers of web search: what each of them is asked, and what its answer means.
import * as z from 'zod';
import type { ToolContext, UpstreamCall } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { createRows } from '../../src/kit/rest-rows.ts';
import { withoutEmpty } from '../../src/kit/without-empty.ts';

export const PROVIDERS = ['tavily', 'exa', 'brave', 'serpapi'] as const;
export type Provider = (typeof PROVIDERS)[number];

const LABELS: Readonly<Record<Provider, string>> = {
  tavily: 'Tavily',
  exa: 'Exa',
  brave: 'Brave',
  serpapi: 'SerpApi',
};

const { toCall } = createRows({ names: 'camelCase' });

/** What one provider is asked, and how its answer is read. */
export interface Offer<Args> {
  ask(args: Args, now: number): UpstreamCall;
  read(payload: unknown, args: Args): Record<string, unknown>;
}

export type Offers<Args> = Partial<Record<Provider, Offer<Args>>>;

/** The members that are undefined are not sent. */
export const post = (path: `/${string}`, body: Record<string, unknown>): UpstreamCall =>
  toCall(`POST ${path}`, body);
export const get = (path: `/${string}`, query: Record<string, unknown> = {}): UpstreamCall =>
  toCall(`GET ${path}`, query);

/** Asks the provider whose key is connected. `what` says what the others lack. */
export async function perform<Args>(
  what: string,
  offers: Offers<Args>,
  args: Args,
  { readConfig, clock, upstream }: ToolContext,
): Promise<Record<string, unknown>> {
  const wanted = readConfig?.()['provider'];
  const provider = PROVIDERS.find((each) => each === wanted);
  if (provider === undefined) throw new Error('The connection names no provider: reconnect Web search');
  const offer = offers[provider];
  if (offer === undefined) {
    const others = PROVIDERS.filter((each) => offers[each] !== undefined).map((each) => LABELS[each]);
    const list = new Intl.ListFormat('en').format(others);
    throw new Error(
      `${LABELS[provider]} has no ${what}; ${list} ${others.length === 1 ? 'has' : 'have'} it. Connect another account of Web search with such a key`,
    );
  }
  const payload = await readPayload(await upstream(offer.ask(args, clock.now())));
  return { provider, ...offer.read(payload, args) };
}

const DAYS = { day: 1, week: 7, month: 31, year: 365 } as const;
export type Freshness = keyof typeof DAYS;

/** The moment since which something is fresh. */
export function since(freshness: Freshness | undefined, now: number): string | undefined {
  return freshness === undefined
    ? undefined
    : new Date((now - DAYS[freshness] * 86_400) * 1000).toISOString();
}

/** Google and Brave take domains as words of the query. */
export function withSites(
  query: string,
  include: readonly string[] = [],
  exclude: readonly string[] = [],
): string {
  const sites = include.map((domain) => `site:${domain}`).join(' OR ');
  return [query, sites, ...exclude.map((domain) => `-site:${domain}`)]
    .filter((part) => part !== '')
    .join(' ');
}

/** Tavily takes the English name of a country. */
export const countryName = (code: string | undefined): string | undefined =>
  code === undefined
    ? undefined
    : new Intl.DisplayNames(['en'], { type: 'region' }).of(code.toUpperCase())?.toLowerCase();

const text = z.string().nullish();

/** The members that providers have for a page, a picture or a video. */
const Found = z.lazy(() =>
  z.looseObject({
    title: text,
    url: text,
    link: text,
    description: text,
    content: text,
    snippet: text,
    highlights: z.array(z.string()).nullish(),
    date: text,
    age: text,
    page_age: text,
    published_date: text,
    publishedDate: text,
    author: text,
    duration: text,
  }),
);
const List = z.array(z.unknown()).default([]);

/** A search result. Every provider's results get this form. */
export function shapeResults(list: unknown, most: number) {
  return List.parse(list ?? undefined)
    .slice(0, most)
    .map((item) => {
      const found = Found.parse(item);
      return withoutEmpty({
        title: found.title,
        url: found.url ?? found.link,
        snippet: found.content ?? found.description ?? found.snippet ?? found.highlights?.join(' … '),
        date: found.page_age ?? found.publishedDate ?? found.published_date ?? found.date ?? found.age,
        author: found.author,
        duration: found.duration,
      });
    });
}

/** Returns undefined when the payload has no such member. */
export function memberOf(payload: unknown, name: string): unknown {
  return typeof payload === 'object' && payload !== null ? Reflect.get(payload, name) : undefined;
}
