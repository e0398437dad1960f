// Tests web search: what each provider is asked, that its results have one form, and where its key goes.
import { describe, expect, it, onTestFinished } from 'vitest';
import { search } from '../../integrations/search/manifest.ts';
import { run } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { createPerson } from '../support/person.ts';
import { createTestApp } from '../support/test-app.ts';

/** Runs a tool with the key of a provider that gives this answer, and returns what the provider is asked. */
async function use(provider: string | undefined, tool: string, args: object, answer: object = {}) {
  const asked: string[] = [];
  const clock = createFakeClock();
  const result = await run(search, `search_${tool}`, args, {
    userId: 'u',
    clock: { ...clock, now: () => Date.UTC(2026, 2, 8) / 1000 },
    files: createMemoryFiles(),
    readConfig: () => (provider === undefined ? {} : { provider }),
    upstream: async ({ method, path, query, body }) => {
      const params =
        query === undefined || query.size === 0
          ? ''
          : `?${decodeURIComponent(query.toString().replaceAll('+', ' '))}`;
      asked.push(`${method} ${path}${params}${typeof body === 'string' ? ` ${body}` : ''}`);
      return Response.json(answer);
    },
    fetch: () => Promise.reject(new Error('no address is fetched')),
  });
  return { result, asked };
}

const q = { query: 'Größe' };
const all = {
  ...q,
  maxResults: 5,
  freshness: 'week',
  country: 'DE',
  includeDomains: ['a.example', 'b.example'],
  excludeDomains: ['c.example'],
};
const SITES = '"a.example","b.example"';
const WORDS = 'Größe site:a.example OR site:b.example -site:c.example';

const TABLE: [tool: string, provider: string, args: object, request: string][] = [
  ['web', 'tavily', q, 'POST /search {"query":"Größe","topic":"general","max_results":10}'],
  [
    'web',
    'tavily',
    all,
    `POST /search {"query":"Größe","topic":"general","max_results":5,"time_range":"week","include_domains":[${SITES}],"exclude_domains":["c.example"],"country":"germany"}`,
  ],
  [
    'web',
    'exa',
    all,
    `POST /search {"query":"Größe","numResults":5,"startPublishedDate":"2026-03-01T00:00:00.000Z","userLocation":"DE","includeDomains":[${SITES}],"excludeDomains":["c.example"],"contents":{"highlights":true}}`,
  ],
  [
    'web',
    'brave',
    { ...all, page: 2 },
    `GET /res/v1/web/search?q=${WORDS}&count=5&offset=1&freshness=pw&country=DE`,
  ],
  ['web', 'brave', q, 'GET /res/v1/web/search?q=Größe&count=10'],
  [
    'web',
    'serpapi',
    { ...all, page: 3 },
    `GET /search.json?engine=google_light&q=${WORDS}&start=20&gl=de&as_qdr=w`,
  ],
  [
    'news',
    'tavily',
    { ...q, country: 'DE', freshness: 'day' },
    'POST /search {"query":"Größe","topic":"news","max_results":10,"time_range":"day"}',
  ],
  [
    'news',
    'exa',
    q,
    'POST /search {"query":"Größe","category":"news","numResults":10,"contents":{"highlights":true}}',
  ],
  ['news', 'brave', { ...q, freshness: 'month' }, 'GET /res/v1/news/search?q=Größe&count=10&freshness=pm'],
  [
    'news',
    'serpapi',
    { ...q, freshness: 'year' },
    'GET /search.json?engine=google_news_light&q=Größe&as_qdr=y',
  ],
  [
    'images',
    'tavily',
    q,
    'POST /search {"query":"Größe","topic":"general","max_results":10,"include_images":true,"include_image_descriptions":true}',
  ],
  ['images', 'brave', { ...q, country: 'DE' }, 'GET /res/v1/images/search?q=Größe&count=10&country=DE'],
  ['images', 'serpapi', { ...q, page: 2 }, 'GET /search.json?engine=google_images&q=Größe&ijn=1'],
  ['videos', 'brave', { ...q, maxResults: 3 }, 'GET /res/v1/videos/search?q=Größe&count=3'],
  [
    'videos',
    'serpapi',
    { ...q, freshness: 'week' },
    'GET /search.json?engine=google_videos&q=Größe&tbs=qdr:w',
  ],
  [
    'papers',
    'exa',
    q,
    'POST /search {"query":"Größe","category":"research paper","numResults":10,"contents":{"highlights":true}}',
  ],
  ['papers', 'serpapi', { ...q, page: 2 }, 'GET /search.json?engine=google_scholar&q=Größe&num=10&start=10'],
  ['answer', 'tavily', { question: 'Wer?' }, 'POST /search {"query":"Wer?","include_answer":"advanced"}'],
  ['answer', 'exa', { question: 'Wer?' }, 'POST /answer {"query":"Wer?"}'],
  ['answer', 'serpapi', { question: 'Wer?' }, 'GET /search.json?engine=google_ai_mode&q=Wer?'],
  [
    'extract',
    'tavily',
    { urls: ['https://a.example/x'] },
    'POST /extract {"urls":["https://a.example/x"],"format":"markdown"}',
  ],
  [
    'extract',
    'exa',
    { urls: ['https://a.example/x'], maxCharacters: 500 },
    'POST /contents {"urls":["https://a.example/x"],"text":{"maxCharacters":501}}',
  ],
  [
    'similar',
    'exa',
    { url: 'https://a.example/' },
    'POST /findSimilar {"url":"https://a.example/","numResults":10,"excludeSourceDomain":true,"contents":{"highlights":true}}',
  ],
  [
    'map_site',
    'tavily',
    { url: 'https://a.example', instructions: 'docs' },
    'POST /map {"url":"https://a.example","instructions":"docs","limit":50}',
  ],
  ['suggest_queries', 'brave', q, 'GET /res/v1/suggest/search?q=Größe&count=10'],
  [
    'suggest_queries',
    'serpapi',
    { ...q, country: 'DE' },
    'GET /search.json?engine=google_autocomplete&q=Größe&gl=de',
  ],
  ['get_usage', 'tavily', {}, 'GET /usage'],
  ['get_usage', 'serpapi', {}, 'GET /account.json'],
];

describe('the requests of web search', () => {
  it.each(TABLE)('search_%s with %s %j', async (name, provider, args, request) => {
    const { asked } = await use(provider, name, args);
    expect(asked).toEqual([request]);
  });

  it('names every tool', () => {
    expect(new Set(TABLE.map(([name]) => `search_${name}`))).toEqual(
      new Set(search.tools.map(({ name }) => name)),
    );
  });
});

const RESULT = { title: 'Titel', url: 'https://a.example/', snippet: 'Auszug', date: '2026-03-01' };
const FOUND: [provider: string, tool: string, answer: object, shown: object][] = [
  [
    'tavily',
    'web',
    {
      results: [
        {
          title: 'Titel',
          url: 'https://a.example/',
          content: 'Auszug',
          published_date: '2026-03-01',
          score: 1,
        },
      ],
      response_time: 1,
    },
    RESULT,
  ],
  [
    'exa',
    'news',
    {
      requestId: 'r',
      results: [
        {
          id: 'x',
          title: 'Titel',
          url: 'https://a.example/',
          highlights: ['Aus', 'zug'],
          publishedDate: '2026-03-01',
          author: 'Ana',
        },
      ],
    },
    { ...RESULT, snippet: 'Aus … zug', author: 'Ana' },
  ],
  [
    'brave',
    'web',
    {
      web: {
        results: [
          {
            title: 'Titel',
            url: 'https://a.example/',
            description: 'Auszug',
            page_age: '2026-03-01',
            age: '1 week',
          },
        ],
      },
    },
    RESULT,
  ],
  [
    'serpapi',
    'web',
    {
      organic_results: [
        { position: 1, title: 'Titel', link: 'https://a.example/', snippet: 'Auszug', date: '2026-03-01' },
      ],
    },
    RESULT,
  ],
  [
    'serpapi',
    'news',
    { news_results: [{ title: 'Titel', link: 'https://a.example/', snippet: 'Auszug', date: '2026-03-01' }] },
    RESULT,
  ],
  [
    'brave',
    'videos',
    {
      results: [
        {
          title: 'Titel',
          url: 'https://a.example/',
          description: 'Auszug',
          page_age: '2026-03-01',
          video: { duration: '03:45' },
        },
      ],
    },
    { ...RESULT, duration: '03:45' },
  ],
];

describe('what is found', () => {
  it.each(FOUND)('by %s has the same form in search_%s', async (provider, tool, answer, shown) => {
    expect((await use(provider, tool, q, answer)).result).toEqual({ provider, results: [shown] });
  });

  it('is no more than was asked for, and may be nothing', async () => {
    const organic_results = Array.from({ length: 10 }, (_, index) => ({ title: `${index}` }));
    const { result } = await use('serpapi', 'web', { ...q, maxResults: 2 }, { organic_results });
    expect(result).toEqual({ provider: 'serpapi', results: [{ title: '0' }, { title: '1' }] });
    expect((await use('brave', 'web', q, { type: 'search' })).result).toEqual({
      provider: 'brave',
      results: [],
    });
  });

  it.each([
    [
      'tavily',
      { images: [{ url: 'https://i.example/a.png', description: 'Ein Bild' }] },
      { title: 'Ein Bild', imageUrl: 'https://i.example/a.png' },
    ],
    [
      'brave',
      {
        results: [
          {
            title: 'Bild',
            url: 'https://a.example/',
            thumbnail: { src: 'https://t.example/' },
            properties: { url: 'https://i.example/' },
          },
        ],
      },
      {
        title: 'Bild',
        imageUrl: 'https://i.example/',
        thumbnailUrl: 'https://t.example/',
        pageUrl: 'https://a.example/',
      },
    ],
    [
      'serpapi',
      {
        images_results: [
          {
            title: 'Bild',
            link: 'https://a.example/',
            original: 'https://i.example/',
            thumbnail: 'https://t.example/',
          },
        ],
      },
      {
        title: 'Bild',
        imageUrl: 'https://i.example/',
        thumbnailUrl: 'https://t.example/',
        pageUrl: 'https://a.example/',
      },
    ],
  ])('as images by %s has the same form', async (provider, answer, shown) => {
    expect((await use(provider, 'images', q, answer)).result).toEqual({ provider, images: [shown] });
  });
});

describe('an answer', () => {
  const source = { title: 'Quelle', url: 'https://a.example/' };

  it.each([
    ['tavily', { answer: 'Ana.', results: [source] }, [source]],
    ['exa', { answer: 'Ana.', citations: [{ id: 'x', ...source }] }, [source]],
    ['brave', { choices: [{ message: { role: 'assistant', content: 'Ana.' } }] }, []],
    [
      'serpapi',
      { reconstructed_markdown: 'Ana.', references: [{ title: 'Quelle', link: 'https://a.example/' }] },
      [source],
    ],
    ['serpapi', { text_blocks: [{ type: 'paragraph', snippet: 'Ana.' }, { type: 'table' }] }, []],
  ])('of %s has its sources where they are named', async (provider, answer, sources) => {
    const { result, asked } = await use(provider, 'answer', { question: 'Wer?' }, answer);
    expect(result).toEqual({ provider, answer: 'Ana.', sources });
    if (provider === 'brave')
      expect(asked).toEqual([
        'POST /res/v1/chat/completions {"model":"brave","stream":false,"messages":[{"role":"user","content":"Wer?"}]}',
      ]);
  });
});

describe('the text of pages', () => {
  const urls = ['https://a.example/', 'https://b.example/'];

  it('is cut where it was asked for, and names what could not be read', async () => {
    const answer = {
      results: [{ url: urls[0], raw_content: 'x'.repeat(101) }],
      failed_results: [{ url: urls[1], error: 'timeout' }],
    };
    const args = { urls, maxCharacters: 100 };
    expect((await use('tavily', 'extract', args, answer)).result).toEqual({
      provider: 'tavily',
      pages: [{ url: urls[0], content: 'x'.repeat(100), truncated: true }],
      failed: [{ url: urls[1], error: 'timeout' }],
    });
    const statuses = [
      { id: urls[0], status: 'success' },
      { id: urls[1], status: 'error', error: { tag: 'CRAWL_NOT_FOUND', httpStatusCode: 404 } },
    ];
    const exa = { results: [{ url: urls[0], title: 'A', text: 'kurz' }], statuses };
    expect((await use('exa', 'extract', args, exa)).result).toEqual({
      provider: 'exa',
      pages: [{ url: urls[0], title: 'A', content: 'kurz', truncated: false }],
      failed: [{ url: urls[1], error: 'CRAWL_NOT_FOUND' }],
    });
  });

  it('and of a site, and suggestions, are lists of texts', async () => {
    expect((await use('tavily', 'map_site', { url: urls[0] }, { results: urls })).result).toMatchObject({
      urls,
    });
    const brave = { results: [{ query: 'größe wissen' }] };
    expect((await use('brave', 'suggest_queries', q, brave)).result).toMatchObject({
      queries: ['größe wissen'],
    });
    const google = { suggestions: [{ value: 'größentabelle', relevance: 1 }] };
    expect((await use('serpapi', 'suggest_queries', q, google)).result).toMatchObject({
      queries: ['größentabelle'],
    });
  });
});

describe('what a provider lacks', () => {
  it.each([
    ['exa', 'images', q, 'Exa has no search for images; Tavily, Brave, and SerpApi have it.'],
    ['tavily', 'videos', q, 'Tavily has no search for videos; Brave and SerpApi have it.'],
    [
      'brave',
      'extract',
      { urls: ['https://a.example'] },
      'Brave has no text of pages; Tavily and Exa have it.',
    ],
    ['serpapi', 'similar', { url: 'https://a.example' }, 'SerpApi has no similar pages; Exa has it.'],
    ['brave', 'get_usage', {}, 'Brave has no request for the usage; Tavily and SerpApi have it.'],
    ['tavily', 'web', { ...q, page: 2 }, 'Tavily has no pages: ask for more results with maxResults'],
    ['exa', 'papers', { ...q, page: 2 }, 'Exa has no pages: ask for more results with maxResults'],
    [undefined, 'web', q, 'The connection names no provider: reconnect Web search'],
  ])('%s says who has it for search_%s %j', async (provider, tool, args, message) => {
    await expect(use(provider, tool, args)).rejects.toThrow(message);
  });
});

describe('the key of a provider', () => {
  const KEYS = [
    ['tavily', 'https://api.tavily.com', { authorization: 'Bearer k-123' }, '/search'],
    ['exa', 'https://api.exa.ai', { 'x-api-key': 'k-123' }, '/search'],
    [
      'brave',
      'https://api.search.brave.com',
      { 'x-subscription-token': 'k-123' },
      '/res/v1/web/search?q=x&count=10',
    ],
    ['serpapi', 'https://serpapi.com', {}, '/search.json?engine=google_light&q=x&api_key=k-123'],
  ] as const;

  async function connect(provider: string, origin: string) {
    const asked: { path: string | undefined; headers: Record<string, unknown> }[] = [];
    const server = await startHttpServer((request, response) => {
      asked.push({ path: request.url, headers: request.headers });
      const body = { account_email: 'ana@example.com', api_key: 'k-123', plan_name: 'Free' };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    const app = await createTestApp({ env: { UPSTREAM_MAP: `${origin}=http://127.0.0.1:${server.port}` } });
    onTestFinished(async () => {
      await app.close();
      await server.close();
    });
    const ana = await createPerson(app);
    const values = { provider, apiKey: 'k-123' };
    expect(await ana.post('/api/auth/apikey/search', { values })).toMatchObject({ status: 200 });
    return { ana, asked };
  }

  it.each(KEYS)(
    'of %s goes to %s alone, and only to its own place',
    async (provider, origin, headers, path) => {
      const { ana, asked } = await connect(provider, origin);
      expect(await ana.run('search_web', { query: 'x' })).toEqual({ provider, results: [] });
      expect(asked).toMatchObject([{ path, headers }]);
      const { authorization, 'x-api-key': key, 'x-subscription-token': token } = asked[0]?.headers ?? {};
      expect(Object.values({ authorization, key, token }).filter((value) => value !== undefined)).toEqual(
        Object.values(headers),
      );
      expect(path.includes('k-123')).toBe(provider === 'serpapi');
    },
  );

  it('is not shown where SerpApi repeats it', async () => {
    const { ana } = await connect('serpapi', 'https://serpapi.com');
    expect(await ana.run('search_get_usage')).toEqual({
      provider: 'serpapi',
      account: 'ana@example.com',
      plan: 'Free',
    });
  });

  it('needs a provider that is one of the four', async () => {
    const app = await createTestApp();
    onTestFinished(() => app.close());
    const ana = await createPerson(app);
    const values = { provider: 'bing', apiKey: 'k' };
    expect(await ana.post('/api/auth/apikey/search', { values })).toMatchObject({
      status: 400,
      body: { error: 'Provider must be one of: tavily, exa, brave, serpapi' },
    });
  });
});
