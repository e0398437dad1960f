// A fake Jenkins below /jenkins: sessions, crumbs per session, folders, a queue, and builds whose logs grow.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface Build {
  number: number;
  parameters: Record<string, string>;
  building: boolean;
  result: string | null;
  log: string;
}

export interface Job {
  /** The names of its parameters, or null for a job without parameters. */
  parameters: readonly string[] | null;
  /** The builds, newest first. */
  builds: Build[];
}

export interface FakeJenkins {
  url: string;
  /** The jobs by full name. */
  jobs: Map<string, Job>;
  /** The cookies of a browser that signed in with "keep me signed in". */
  cookies: { name: string; value: string; domain: string; path: string }[];
  /** Whether a POST needs a crumb. */
  protected: boolean;
  /** The known sessions. */
  sessions: Set<string>;
  /** Whether a gateway before Jenkins answers every request with its sign-in page. */
  gate: boolean;
  /** Every request: method, address and the body if there is one. */
  requests: string[];
  close(): Promise<void>;
}

const REMEMBER = 'remembered-for-two-weeks';
const crumbOf = (session: string) => `crumb-of-${session}`;

interface Exchange {
  method: string;
  url: URL;
  /** The path below /jenkins. */
  path: string;
  body: string;
  headers: IncomingMessage['headers'];
  response: ServerResponse;
}

export async function startJenkins(): Promise<FakeJenkins> {
  const queue = new Map<
    number,
    { job: Job; path: string; parameters: Record<string, string>; looks: number }
  >();
  const jenkins: FakeJenkins = {
    url: '',
    jobs: new Map(),
    cookies: [
      { name: 'JSESSIONID.5f3a', value: 'session-0', domain: '127.0.0.1', path: '/jenkins' },
      { name: 'remember-me', value: REMEMBER, domain: '127.0.0.1', path: '/jenkins' },
    ],
    protected: true,
    sessions: new Set(['session-0']),
    gate: false,
    requests: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };

  /** Returns the session of a request. The remember-me cookie alone opens a new session. */
  function sessionOf({ headers, response }: Exchange): string | null {
    const cookies = new Map(
      (headers.cookie ?? '').split('; ').map((pair) => [pair.split('=')[0], pair.split('=')[1]]),
    );
    const session = cookies.get('JSESSIONID.5f3a') ?? '';
    if (jenkins.sessions.has(session)) return session;
    if (cookies.get('remember-me') !== REMEMBER) return null;
    const fresh = `session-${jenkins.sessions.size + 1}`;
    jenkins.sessions.add(fresh);
    response.setHeader('set-cookie', `JSESSIONID.5f3a=${fresh}; Path=/jenkins; HttpOnly`);
    return fresh;
  }

  function answer(exchange: Exchange): unknown {
    const { method, path, headers, response } = exchange;
    if (jenkins.gate) return page(response, 200, 'Sign in with your company account');
    const session = sessionOf(exchange);
    if (path === '/whoAmI/api/json')
      return json(response, { name: session === null ? 'anonymous' : 'ana', anonymous: session === null });
    if (session === null) return page(response, 403, 'Authentication required');
    if (path === '/crumbIssuer/api/json') {
      if (!jenkins.protected) return page(response, 404, 'Not Found');
      return json(response, { crumb: crumbOf(session), crumbRequestField: 'Jenkins-Crumb' });
    }
    if (method === 'POST' && jenkins.protected && headers['jenkins-crumb'] !== crumbOf(session))
      return page(response, 403, 'No valid crumb was included in the request');
    if (path === '/me/api/json') return json(response, { id: 'ana', fullName: 'Ana' });
    if (path === '/computer/api/json')
      return json(response, { computer: [{ displayName: 'Built-In Node' }] });
    if (path === '/api/json')
      return json(response, { jobs: [...jenkins.jobs.keys()].map((name) => ({ name })) });
    const item = /^\/queue\/item\/(\d+)\/api\/json$/.exec(path);
    if (item !== null) return queueItem(Number(item[1]), response);
    const inJob = /^((?:\/job\/[^/]+)+)(?:\/(\d+|lastBuild))?\/(.*)$/.exec(path);
    const name = (inJob?.[1] ?? '').split('/job/').slice(1).map(decodeURIComponent).join('/');
    const job = jenkins.jobs.get(name);
    if (inJob === null || job === undefined) return page(response, 404, 'Not Found');
    const [, jobPath = '', number, rest = ''] = inJob;
    if (number === undefined) return answerJob(exchange, job, jobPath, rest);
    const build = job.builds.find((each) => number === 'lastBuild' || each.number === Number(number));
    return build === undefined ? page(response, 404, 'Not Found') : answerBuild(exchange, build, rest);
  }

  function answerJob(
    { method, url, body, response }: Exchange,
    job: Job,
    path: string,
    rest: string,
  ): unknown {
    if (rest === 'api/json') {
      const most = /^builds\[.*\]\{0,(\d+)\}$/.exec(url.searchParams.get('tree') ?? '')?.[1];
      const definitions = job.parameters?.map((name) => ({ name }));
      return json(response, {
        builds: job.builds.slice(0, Number(most ?? 100)).map(({ number, result }) => ({ number, result })),
        property: [{}, ...(definitions === undefined ? [] : [{ parameterDefinitions: definitions }])],
      });
    }
    if (method !== 'POST') return page(response, 405, 'This URL requires POST');
    if (rest === 'build' && job.parameters !== null)
      return page(response, 400, 'This page expects a form submission');
    if (rest === 'buildWithParameters' && job.parameters === null)
      return page(response, 500, 'This build is not parameterized!');
    const id = queue.size + 1;
    queue.set(id, { job, path, parameters: Object.fromEntries(new URLSearchParams(body)), looks: 0 });
    return response.writeHead(201, { location: `${jenkins.url}/queue/item/${id}/` }).end();
  }

  /** Starts the build when its queue item is read for the second time. */
  function queueItem(id: number, response: ServerResponse): unknown {
    const item = queue.get(id);
    if (item === undefined) return page(response, 404, 'Not Found');
    const { job, path, parameters } = item;
    if (item.looks++ === 0) return json(response, { id, why: 'In the quiet period' });
    const number = (job.builds[0]?.number ?? 0) + 1;
    job.builds.unshift({ number, parameters, building: true, result: null, log: 'Started by Ana\n' });
    return json(response, { id, executable: { number, url: `${jenkins.url}${path}/${number}/` } });
  }

  function answerBuild({ method, url, response }: Exchange, build: Build, rest: string): unknown {
    const { number, building, result, parameters, log } = build;
    switch (rest) {
      case 'api/json': {
        const artifacts = [{ fileName: 'app.jar', relativePath: 'target/app.jar' }];
        return json(response, { number, building, result, parameters, artifacts, url: url.href });
      }
      case 'testReport/api/json':
        return json(response, { failCount: 1, passCount: 41 });
      case 'logText/progressiveText': {
        const start = Number(url.searchParams.get('start') ?? 0);
        response.setHeader('x-text-size', Buffer.byteLength(log));
        if (building) response.setHeader('x-more-data', 'true');
        response.setHeader('content-type', 'text/plain;charset=utf-8');
        return response.end(Buffer.from(log).subarray(start));
      }
      case 'stop':
        if (method !== 'POST') return page(response, 405, 'This URL requires POST');
        Object.assign(build, { building: false, result: 'ABORTED', log: `${log}Aborted by Ana\n` });
        // Redirects to the page of the build.
        return response.writeHead(302, { location: url.href.replace(/stop$/, '') }).end();
      case '':
        return page(response, 200, `Build ${number}`);
      default:
        return page(response, 404, 'Not Found');
    }
  }

  const server = createServer((incoming, response) => {
    void readAll(incoming).then((body) => {
      const url = new URL(incoming.url ?? '', jenkins.url);
      const method = incoming.method ?? '';
      jenkins.requests.push(`${method} ${url.pathname}${body === '' ? '' : ` ${body}`}`);
      answer({
        method,
        url,
        path: url.pathname.replace('/jenkins', ''),
        body,
        headers: incoming.headers,
        response,
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  jenkins.url = `http://127.0.0.1:${address.port}/jenkins`;
  return jenkins;
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json;charset=utf-8' }).end(JSON.stringify(body));
}

function page(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { 'content-type': 'text/html;charset=utf-8' })
    .end(`<html><body>${text}</body></html>`);
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of incoming.setEncoding('utf8')) body += chunk;
  return body;
}
