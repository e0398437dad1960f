// A browser without a screen: it follows redirects, submits forms, and keeps cookies by their own rules.
interface Cookie {
  name: string;
  value: string;
  host: string;
  path: string;
  secure: boolean;
  sameSite: 'Strict' | 'Lax' | 'None';
  /** Milliseconds; null for the life of the browser. */
  expires: number | null;
}

export interface Visited {
  /** The address it ended at: of the page, or one that nothing here answers. */
  url: URL;
  status: number;
  headers: Headers;
  text: string;
}

export interface Browser {
  open(url: string | URL): Promise<Visited>;
  /** Submits the first form of the page with what a person fills in. */
  submit(page: Visited, fields?: Record<string, string>): Promise<Visited>;
  /** The cookies that go with a request that the page at `from` makes. */
  cookies(url: string, request?: { method?: string; from?: URL | null }): Record<string, string>;
  /** What the server has set, attributes and all. */
  setCookies: string[];
}

type Fetch = (request: Request) => Response | Promise<Response>;

export interface BrowserOptions {
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Servers that are in this process, by origin. */
  servers?: Record<string, Fetch>;
  /** Where following stops: an application that waits for its answer. */
  isApplication?: (url: URL) => boolean;
}

const REDIRECTS = 20;

export function createBrowser({
  now = Date.now,
  servers = {},
  isApplication = () => false,
}: BrowserOptions = {}): Browser {
  let jar: Cookie[] = [];
  const setCookies: string[] = [];

  function sent(url: URL, method: string, from: URL | null): Cookie[] {
    const sameSite = from === null || siteOf(from) === siteOf(url);
    return jar.filter(
      (cookie) =>
        cookie.host === url.hostname &&
        isUnder(url.pathname, cookie.path) &&
        (!cookie.secure || isTrustworthy(url)) &&
        (cookie.expires === null || cookie.expires > now()) &&
        (sameSite || cookie.sameSite === 'None' || (cookie.sameSite === 'Lax' && method === 'GET')),
    );
  }

  function store(line: string, url: URL): void {
    setCookies.push(line);
    const cookie = parseCookie(line, url, now());
    if (cookie.secure && !isTrustworthy(url)) return;
    jar = jar.filter(
      ({ name, host, path }) => name !== cookie.name || host !== cookie.host || path !== cookie.path,
    );
    jar.push(cookie);
  }

  async function request(url: URL, init: RequestInit, from: URL | null): Promise<Visited> {
    let [target, current] = [url, init];
    for (let hop = 0; hop < REDIRECTS; hop++) {
      if (isApplication(target)) return { url: target, status: 0, headers: new Headers(), text: '' };
      const cookies = sent(target, current.method ?? 'GET', from);
      const headers = new Headers({ accept: 'text/html', ...toHeader(cookies) });
      if (current.body instanceof URLSearchParams && from !== null) headers.set('origin', from.origin);
      const asked = new Request(withoutHash(target), { ...current, headers, redirect: 'manual' });
      const response = await (servers[target.origin]?.(asked) ?? fetch(asked));
      for (const line of response.headers.getSetCookie()) store(line, target);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null)
        return {
          url: target,
          status: response.status,
          headers: response.headers,
          text: await response.text(),
        };
      await response.body?.cancel();
      target = new URL(location, target);
      // Nothing here passes a body on.
      current = { method: 'GET' };
    }
    throw new Error(`too many redirects, the last one to ${target.href}`);
  }

  return {
    setCookies,
    open: (url) => request(new URL(url), { method: 'GET' }, null),
    submit(page, fields = {}) {
      const form = /<form([^>]*)>([\s\S]*?)<\/form>/.exec(page.text);
      if (form === null) throw new Error(`no form at ${page.url.href}: ${page.text.slice(0, 500)}`);
      const [, attributes = '', content = ''] = form;
      const values = [...content.matchAll(/<input([^>]*)>/g)].flatMap(([, input = '']) => {
        const name = attribute(input, 'name');
        return name === null ? [] : [[name, attribute(input, 'value') ?? ''] as const];
      });
      const body = new URLSearchParams({ ...Object.fromEntries(values), ...fields });
      const action = new URL(attribute(attributes, 'action') ?? '', page.url);
      return request(action, { method: 'POST', body }, page.url);
    },
    cookies: (url, { method = 'GET', from = null } = {}) =>
      Object.fromEntries(sent(new URL(url), method, from).map(({ name, value }) => [name, value])),
  };
}

const toHeader = (cookies: Cookie[]): Record<string, string> =>
  cookies.length === 0 ? {} : { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };

function parseCookie(line: string, url: URL, now: number): Cookie {
  const [pair = '', ...rest] = line.split(';').map((part) => part.trim());
  const attributes = new Map(
    rest.map((part) => {
      const [key = '', ...value] = part.split('=');
      return [key.toLowerCase(), value.join('=')];
    }),
  );
  const maxAge = attributes.get('max-age');
  const expires = attributes.get('expires');
  const sameSite = attributes.get('samesite')?.toLowerCase();
  return {
    name: pair.slice(0, pair.indexOf('=')),
    value: pair.slice(pair.indexOf('=') + 1),
    host: url.hostname,
    path: attributes.get('path') || '/',
    secure: attributes.has('secure'),
    sameSite: sameSite === 'strict' ? 'Strict' : sameSite === 'none' ? 'None' : 'Lax',
    expires:
      maxAge !== undefined ? now + Number(maxAge) * 1000 : expires === undefined ? null : Date.parse(expires),
  };
}

function attribute(tag: string, name: string): string | null {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined
    ? null
    : value
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&');
}

// Enough of the rule for the names that tests use: the last two labels, or the whole of an address.
const siteOf = ({ protocol, hostname }: URL): string =>
  `${protocol}//${/^[\d.]+$/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.')}`;
const isTrustworthy = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1';
const isUnder = (pathname: string, path: string): boolean =>
  pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
const withoutHash = (url: URL): string => url.href.replace(/#.*$/, '');
