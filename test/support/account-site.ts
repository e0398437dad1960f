// A site with any number of accounts, which knows people by a cookie. `/in/<name>` signs in as that person.
import type { Integration } from '../../src/kit/integration.ts';
import { fixtures } from './fixtures.ts';
import { startHttpServer } from './http-server.ts';

export interface AccountSite {
  url: string;
  /** The cookies that came to the page for signing in, in order. */
  seen: (string | undefined)[];
  close(): Promise<void>;
}

export async function startAccountSite(): Promise<AccountSite> {
  const seen: (string | undefined)[] = [];
  const server = await startHttpServer(({ url = '', headers: { cookie } }, response) => {
    const who = /sid=(\w+)/.exec(cookie ?? '')?.[1];
    if (url === '/login') seen.push(cookie);
    if (url.startsWith('/in/'))
      response.setHeader('Set-Cookie', `sid=${url.slice(4)}; Path=/; Max-Age=86400`);
    if (url === '/me') response.statusCode = who === undefined ? 401 : 200;
    response.setHeader('Content-Type', url === '/me' ? 'application/json' : 'text/html');
    response.end(url === '/me' ? JSON.stringify({ id: `id-${who}`, name: who }) : `<p>${who}`);
  });
  return { url: `http://127.0.0.1:${server.port}`, seen, close: () => server.close() };
}

/** Like the fixture `jar`, at a site that says whose session it is. */
export const club: Integration = createClub();

function createClub(): Integration {
  const jar = fixtures.find(({ name }) => name === 'jar');
  if (jar === undefined) throw new TypeError('the fixture jar is missing');
  const probe = { request: 'GET /me', id: '/id', label: '/name' };
  return { ...jar, name: 'club', displayName: 'Club', probe, tools: [] };
}
