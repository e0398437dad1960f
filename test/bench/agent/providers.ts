// Plays the providers behind the gateway: GitHub, Google and Wikipedia, each at a port of its own.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listen } from '../../support/listen.ts';
import { type Issue, makeIssue } from './github-issues.ts';
import { paragraph } from './prose.ts';

const ISSUES = 100;
/** A repository of many labels, with the members that GitHub sends. */
export const LABELS = Array.from({ length: 1_000 }, (_, index) => ({
  id: 5_100_000_000 + index,
  node_id: `LA_kwDO${Buffer.from(`label:${index}`).toString('base64url')}`,
  url: `https://api.github.com/repos/acme/web/labels/area-${index}`,
  name: `area-${index}`,
  color: index % 3 === 0 ? 'd73a4a' : '0075ca',
  default: false,
  description: `What belongs to area ${index}`,
}));
const SECTIONS = [
  'Etymology',
  'Prehistory',
  'Early settlement',
  'The salt trade',
  'Wars of the north',
  'Union with the coast',
  'Railways and industry',
  'Society and language',
  'Architecture',
  'Climate',
  'Economy',
  'Education',
  'Legacy',
  'Historiography',
];
const PARAGRAPHS = 9;
const SENTENCES = 8;

export interface Providers {
  /** The gateway's variables that lead to these providers. */
  env: Record<string, string>;
  issues: Issue[];
  /** The mails that were sent, in MIME. */
  mails: string[];
  close(): Promise<void>;
}

export async function startProviders(): Promise<Providers> {
  const issues = Array.from({ length: ISSUES }, (_, index) => makeIssue(index + 1));
  const mails: string[] = [];
  let flaky = 0;

  const github: Handler = ({ method, url }, body) => {
    const { pathname, searchParams } = url;
    if (pathname === '/login/oauth/access_token')
      return { access_token: 'gho_bench', token_type: 'bearer', scope: 'repo' };
    if (pathname === '/user') return { login: 'ana-souza', id: 10_038_889 };
    const listed = pathname === '/repos/acme/web/labels' ? LABELS : issues;
    if (listed === issues && pathname !== '/repos/acme/web/issues') return null;
    if (method === 'GET') {
      const size = Number(searchParams.get('per_page') ?? 30);
      const from = size * (Number(searchParams.get('page') ?? 1) - 1);
      return listed.slice(from, from + size);
    }
    const form = JSON.parse(body);
    // Null is a status of 404: the gateway hands it to the agent, as any failure.
    if (form.title === 'Flaky' && flaky++ % 4 < 3) return null;
    const issue = makeIssue(issues.length + 1, form);
    issues.push(issue);
    return issue;
  };

  const google: Handler = ({ url }, body) => {
    if (url.pathname === '/token')
      return { access_token: 'ya29.bench', expires_in: 3_599, token_type: 'Bearer' };
    const query = url.searchParams.get('q');
    if (query !== null) return { messages: [], resultSizeEstimate: query.length };
    if (!url.pathname.endsWith('/messages/send')) return { emailAddress: 'ana@example.com' };
    const { raw }: { raw: string } = JSON.parse(body);
    mails.push(Buffer.from(raw, 'base64url').toString('latin1'));
    return { id: '18e5c1d0a2b3c4d5', threadId: '18e5c1d0a2b3c4d5', labelIds: ['SENT'] };
  };

  const wikipedia: Handler = ({ url }) => (url.pathname.endsWith('/html') ? ARTICLE : null);

  const [first, second, third] = [serve(github), serve(google), serve(wikipedia)];
  const servers = [first, second, third];
  const [githubUrl, googleUrl, wikipediaUrl] = await Promise.all([
    listenAt(first),
    listenAt(second),
    listenAt(third),
  ]);
  const map = {
    'https://github.com': githubUrl,
    'https://api.github.com': githubUrl,
    'https://oauth2.googleapis.com': googleUrl,
    'https://gmail.googleapis.com': googleUrl,
    'https://en.wikipedia.org': wikipediaUrl,
  };
  return {
    env: {
      GITHUB_CLIENT_ID: 'bench',
      GITHUB_CLIENT_SECRET: 'bench',
      GMAIL_CLIENT_ID: 'bench',
      GMAIL_CLIENT_SECRET: 'bench',
      UPSTREAM_MAP: Object.entries(map)
        .map((pair) => pair.join('='))
        .join(','),
    },
    issues,
    mails,
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

/** An answer as JSON, a text as HTML, or null for a path that the provider does not have. */
type Handler = (request: { method: string; url: URL }, body: string) => object | string | null;

function serve(handle: Handler): Server {
  return createServer((incoming, response) => void answer(handle, incoming, response));
}

const listenAt = async (server: Server): Promise<string> => `http://127.0.0.1:${await listen(server)}`;

async function answer(handle: Handler, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of incoming.setEncoding('utf8')) body += chunk;
  const { method = 'GET' } = incoming;
  const found = handle({ method, url: new URL(incoming.url ?? '/', 'http://provider') }, body);
  const isText = typeof found === 'string';
  response.writeHead(found === null ? 404 : 200, {
    'content-type': isText ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
  });
  response.end(isText ? found : JSON.stringify(found ?? { message: 'Not Found' }));
}

/** The section that the agent looks for, late in the article. */
export const WANTED_SECTION = 'Legacy';

export const textOfSection = (title: string): string[] => {
  const at = SECTIONS.indexOf(title);
  return Array.from({ length: PARAGRAPHS }, (_, index) => paragraph(at * 100 + index + 1, SENTENCES));
};

const ARTICLE = `<!DOCTYPE html><html lang="en"><head><title>History of Vardenholm</title></head><body>${SECTIONS.map(
  (title) =>
    `<section><h2 id="${title.replaceAll(' ', '_')}">${title}</h2>${textOfSection(title)
      .map((text) => `<p>${text}</p>`)
      .join('')}</section>`,
).join('')}</body></html>`;
