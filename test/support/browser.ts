// A browser without a screen that follows redirects, submits forms, and keeps cookies by their rules.
interface Cookie {
  name: string;
  value: string;
  host: string;
  path: string;
  secure: boolean;
  sameSite: 'Strict' | 'Lax' | 'None';
  /** Milliseconds since the epoch, or null for a cookie that lasts as long as the browser. */
  expires: number | null;
}

export interface Visited {
  /** The final address: the page's, or that of an application that this browser does not open. */
  url: URL;
  status: number;
  headers: Headers;
  text: string;
}

export interface Browser {
  open(url: string | URL): Promise<Visited>;
  /** Sends a request as a script on a page of the same origin does. */
  fetch(url: string, init?: RequestInit): Promise<Visited>;
  /** Submits the first form of the page as it stands, but with the given fields. */
  submit(page: Visited, fields?: Record<string, string | readonly string[]>): Promise<Visited>;
  /** Returns the cookies that a request from the page at `from` carries. */
  cookies(url: string, request?: { method?: string; from?: URL | null }): Record<string, string>;
  /** The Set-Cookie headers of the servers, with all attributes. */
  setCookies: string[];
}

type Fetch = (request: Request) => Response | Promise<Response>;

export interface BrowserOptions {
  /** Returns milliseconds since the epoch. */
  now?: () => number;
  /** Servers in this process, by origin. */
  servers?: Record<string, Fetch>;
  /** The browser stops following redirects at an application's address. */
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
      new Headers(current.headers).forEach((value, name) => headers.set(name, value));
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
      // A redirect here never repeats the body.
      current = { method: 'GET' };
    }
    throw new Error(`too many redirects, the last one to ${target.href}`);
  }

  return {
    setCookies,
    open: (url) => request(new URL(url), { method: 'GET' }, null),
    fetch: (url, init = {}) => request(new URL(url), init, new URL(url)),
    submit(page, fields = {}) {
      const form = /<form([^>]*)>([\s\S]*?)<\/form>/.exec(page.text);
      if (form === null) throw new Error(`no form at ${page.url.href}: ${page.text.slice(0, 500)}`);
      const [, attributes = '', content = ''] = form;
      const values = [...content.matchAll(/<input([^>]*)>/g)].flatMap(([, input = '']) => {
        const name = attribute(input, 'name');
        const isLeftOut = /\stype="(radio|checkbox)"/.test(input) && !/\schecked\b/.test(input);
        return name === null || isLeftOut ? [] : [[name, attribute(input, 'value') ?? ''] as const];
      });
      const sent = { ...Object.fromEntries(values), ...fields };
      const body = new URLSearchParams(
        Object.entries(sent).flatMap(([name, value]) => [value].flat().map((each) => [name, each])),
      );
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

// Enough of the site rule for the names in tests: the last two labels of a name, or a whole IP address.
const siteOf = ({ protocol, hostname }: URL): string =>
  `${protocol}//${/^[\d.]+$/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.')}`;
const isTrustworthy = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1';
const isUnder = (pathname: string, path: string): boolean =>
  pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
const withoutHash = (url: URL): string => url.href.replace(/#.*$/, '');
