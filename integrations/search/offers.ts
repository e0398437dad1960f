// What each provider offers: pages, news, pictures, videos and papers.
import * as z from 'zod';
import { withoutEmpty } from '../../src/kit/without-empty.ts';
import {
  countryName,
  type Freshness,
  get,
  memberOf,
  type Offers,
  post,
  shapeResults,
  since,
  withSites,
} from './providers.ts';

export interface Ask {
  query: string;
  maxResults: number;
  page?: number | undefined;
  freshness?: Freshness | undefined;
  country?: string | undefined;
  includeDomains?: readonly string[] | undefined;
  excludeDomains?: readonly string[] | undefined;
}

export const results = (payload: unknown, { maxResults }: { maxResults: number }) => ({
  results: shapeResults(memberOf(payload, 'results'), maxResults),
});
const member =
  (name: string) =>
  (payload: unknown, { maxResults }: { maxResults: number }) => ({
    results: shapeResults(memberOf(payload, name), maxResults),
  });

const brave = (
  path: `/${string}`,
  most: number,
  { query, maxResults, page = 1, freshness, country, includeDomains, excludeDomains }: Ask,
) =>
  get(path, {
    q: withSites(query, includeDomains, excludeDomains),
    count: Math.min(maxResults, most),
    offset: page === 1 ? undefined : page - 1,
    freshness: freshness === undefined ? undefined : `p${freshness.charAt(0)}`,
    country,
  });

const serpapi = (
  engine: string,
  { query, page = 1, freshness, country, includeDomains, excludeDomains }: Ask,
  period: (letter: string) => Record<string, unknown>,
) =>
  get('/search.json', {
    engine,
    q: withSites(query, includeDomains, excludeDomains),
    start: page === 1 ? undefined : (page - 1) * 10,
    gl: country?.toLowerCase(),
    ...(freshness === undefined ? {} : period(freshness.charAt(0))),
  });
const asPeriod = (letter: string) => ({ as_qdr: letter });

function refusePages({ page = 1 }: Ask, provider: string): void {
  if (page > 1) throw new Error(`${provider} has no pages: ask for more results with maxResults`);
}

function tavily(topic: 'general' | 'news', ask: Ask, more: Record<string, unknown> = {}) {
  refusePages(ask, 'Tavily');
  const { query, maxResults, freshness, country, includeDomains, excludeDomains } = ask;
  return post('/search', {
    query,
    topic,
    max_results: maxResults,
    time_range: freshness,
    include_domains: includeDomains,
    exclude_domains: excludeDomains,
    // Tavily prefers a country only among general results.
    country: topic === 'general' ? countryName(country) : undefined,
    ...more,
  });
}

function exa(category: string | undefined, ask: Ask, now: number) {
  refusePages(ask, 'Exa');
  const { query, maxResults, freshness, country, includeDomains, excludeDomains } = ask;
  return post('/search', {
    query,
    category,
    numResults: maxResults,
    startPublishedDate: since(freshness, now),
    userLocation: country,
    includeDomains,
    excludeDomains,
    contents: { highlights: true },
  });
}

export const web: Offers<Ask> = {
  tavily: { ask: (ask) => tavily('general', ask), read: results },
  exa: { ask: (ask, now) => exa(undefined, ask, now), read: results },
  brave: {
    ask: (ask) => brave('/res/v1/web/search', 20, ask),
    read: (payload, { maxResults }) => ({
      results: shapeResults(memberOf(memberOf(payload, 'web'), 'results'), maxResults),
    }),
  },
  serpapi: {
    ask: (ask) => serpapi('google_light', ask, asPeriod),
    read: member('organic_results'),
  },
};

export const news: Offers<Ask> = {
  tavily: { ask: (ask) => tavily('news', ask), read: results },
  exa: { ask: (ask, now) => exa('news', ask, now), read: results },
  brave: { ask: (ask) => brave('/res/v1/news/search', 50, ask), read: results },
  serpapi: {
    ask: (ask) => serpapi('google_news_light', ask, asPeriod),
    read: member('news_results'),
  },
};

const Picture = z.lazy(() =>
  z.looseObject({
    url: z.string().nullish(),
    title: z.string().nullish(),
    description: z.string().nullish(),
    link: z.string().nullish(),
    original: z.string().nullish(),
    thumbnail: z.union([z.string(), z.looseObject({ src: z.string().nullish() })]).nullish(),
    properties: z.looseObject({ url: z.string().nullish() }).nullish(),
  }),
);

/** Brave and Google name the page beside the picture; Tavily names the picture only. */
function pictures(list: unknown, most: number) {
  const found = z.array(Picture).parse(list ?? []);
  return found.slice(0, most).map(({ url, title, description, link, original, thumbnail, properties }) => {
    const isOnPage = thumbnail !== undefined && thumbnail !== null;
    return withoutEmpty({
      title: title ?? description,
      imageUrl: original ?? properties?.url ?? (isOnPage ? undefined : url),
      thumbnailUrl: typeof thumbnail === 'string' ? thumbnail : thumbnail?.src,
      pageUrl: link ?? (isOnPage ? url : undefined),
    });
  });
}

export const images: Offers<Ask> = {
  tavily: {
    ask: (ask) => tavily('general', ask, { include_images: true, include_image_descriptions: true }),
    read: (payload, { maxResults }) => ({
      images: pictures(memberOf(payload, 'images'), maxResults),
    }),
  },
  brave: {
    ask: ({ query, maxResults, country }) =>
      get('/res/v1/images/search', { q: query, count: maxResults, country }),
    read: (payload, { maxResults }) => ({ images: pictures(memberOf(payload, 'results'), maxResults) }),
  },
  serpapi: {
    ask: ({ page = 1, ...ask }) => {
      const call = serpapi('google_images', ask, (letter) => ({ period_unit: letter }));
      if (page > 1) call.query?.set('ijn', String(page - 1));
      return call;
    },
    read: (payload, { maxResults }) => ({
      images: pictures(memberOf(payload, 'images_results'), maxResults),
    }),
  },
};

const BraveVideo = z.lazy(() =>
  z.looseObject({ video: z.looseObject({ duration: z.string().nullish() }).nullish() }),
);

export const videos: Offers<Ask> = {
  brave: {
    ask: (ask) => brave('/res/v1/videos/search', 50, ask),
    read: (payload, { maxResults }) => {
      const found = z.array(BraveVideo).parse(memberOf(payload, 'results') ?? []);
      const flat = found.map(({ video, ...rest }) => ({ ...rest, duration: video?.duration }));
      return { results: shapeResults(flat, maxResults) };
    },
  },
  serpapi: {
    ask: (ask) => serpapi('google_videos', ask, (letter) => ({ tbs: `qdr:${letter}` })),
    read: member('video_results'),
  },
};

export const papers: Offers<Ask> = {
  exa: { ask: (ask, now) => exa('research paper', ask, now), read: results },
  serpapi: {
    ask: ({ query, maxResults, page = 1 }) =>
      get('/search.json', {
        engine: 'google_scholar',
        q: query,
        num: maxResults,
        start: page === 1 ? undefined : (page - 1) * maxResults,
      }),
    read: member('organic_results'),
  },
};
