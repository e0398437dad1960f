// A fake GitHub, built from its documentation: pull requests with reviewers, and Actions with logs at another
// origin.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';

export interface Pull {
  number: number;
  state: 'open' | 'closed';
  title: string;
  body: string | null;
  draft: boolean;
  user: { login: string };
  head: { ref: string; label: string };
  base: { ref: string };
  requested_reviewers: { login: string }[];
}

export interface Run {
  id: number;
  name: string;
  path: string;
  event: string;
  head_branch: string;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: string | null;
  run_attempt: number;
}

export interface Workflow {
  id: number;
  name: string;
  path: string;
  /** The names of its inputs, or null when it has no workflow_dispatch. */
  inputs: readonly string[] | null;
}

interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface FakeGithub {
  url: string;
  token: string;
  /** Whether this is an Enterprise Server: its API is below /api/v3 and lacks what only github.com has. */
  enterprise: boolean;
  /** The account of the token. */
  login: string;
  collaborators: string[];
  branches: string[];
  workflows: Workflow[];
  pulls: Pull[];
  runs: Run[];
  logs: Record<string, string>;
  calls: Call[];
  /** The requests to the other origin, which serves logs. */
  downloads: { path: string; headers: IncomingHttpHeaders }[];
  /** Functions that answer the next requests in place of the normal response. */
  script: ((response: ServerResponse) => void)[];
  close(): Promise<void>;
}

class Refusal extends Error {
  readonly status: number;
  readonly more: object;

  constructor(status: number, message: string, more: object = {}) {
    super(message);
    this.status = status;
    this.more = more;
  }
}

type Answer = { status: number; json?: unknown; text?: string; location?: string };
type Route = [method: string, path: RegExp, answer: (call: Call, ...parts: string[]) => Answer];

const ok = (json: unknown, status = 200): Answer => ({ status, json });

export async function startGithub(): Promise<FakeGithub> {
  const signature = randomBytes(8).toString('hex');
  const storage = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '', 'http://storage');
    fake.downloads.push({ path: url.pathname, headers: incoming.headers });
    // Azure refuses a signed address together with an Authorization header.
    const good = url.searchParams.get('sig') === signature && incoming.headers.authorization === undefined;
    const log = fake.logs[url.pathname.slice(1)];
    response.setHeader('content-type', good ? 'text/plain' : 'application/xml');
    response.writeHead(good ? 200 : 403).end(good ? `\uFEFF${log}` : '<Error>AuthenticationFailed</Error>');
  });
  const storageUrl = await listen(storage);

  const fake: FakeGithub = {
    url: '',
    token: `gho_${randomBytes(12).toString('hex')}`,
    enterprise: false,
    login: 'ana',
    collaborators: ['ana', 'bo', 'cy'],
    branches: ['main', 'feature/one'],
    workflows: [
      { id: 11, name: 'Deploy', path: '.github/workflows/deploy.yml', inputs: ['target', 'dry'] },
      { id: 12, name: 'CI', path: '.github/workflows/ci.yml', inputs: null },
    ],
    pulls: [],
    runs: [],
    logs: {},
    calls: [],
    downloads: [],
    script: [],
    async close() {
      await Promise.all([stop(server), stop(storage)]);
    },
  };

  const pullOf = (number: string) => found(fake.pulls.find((pull) => pull.number === Number(number)));
  const runOf = (id: string) => found(fake.runs.find((run) => run.id === Number(id)));
  const workflowOf = (name: string) =>
    found(fake.workflows.find(({ id, path }) => String(id) === name || path.endsWith(`/${name}`)));

  function listRuns({ query }: Call, workflow?: Workflow): Answer {
    const runs = fake.runs
      .filter(({ path }) => workflow === undefined || path === workflow.path)
      .filter(({ event }) => (query.get('event') ?? event) === event)
      .filter(({ head_branch: branch }) => (query.get('branch') ?? branch) === branch)
      .filter(({ status, conclusion }) => [status, conclusion].includes(query.get('status') ?? status))
      .toReversed();
    return ok({ total_count: runs.length, workflow_runs: paged(runs, query) });
  }

  function openPull({ body }: Call): Answer {
    const [ref, base] = [String(body['head']).replace(/^.*:/, ''), String(body['base'])];
    for (const branch of [ref, base])
      if (!fake.branches.includes(branch)) throw invalid({ field: 'head', code: 'invalid' });
    const taken = fake.pulls.some((pull) => isOpen(pull) && pull.head.ref === ref && pull.base.ref === base);
    if (taken) throw invalid({ code: 'custom', message: `A pull request already exists for acme:${ref}.` });
    const pull: Pull = {
      number: fake.pulls.length + 1,
      state: 'open',
      title: String(body['title']),
      body: typeof body['body'] === 'string' ? body['body'] : null,
      draft: body['draft'] === true,
      user: { login: fake.login },
      head: { ref, label: `acme:${ref}` },
      base: { ref: base },
      requested_reviewers: [],
    };
    fake.pulls.push(pull);
    return ok(pull, 201);
  }

  function requestReviewers({ body }: Call, number = ''): Answer {
    const pull = pullOf(number);
    const logins = (body['reviewers'] as string[] | undefined) ?? [];
    if (logins.some((login) => login.toLowerCase() === pull.user.login))
      throw new Refusal(422, 'Review cannot be requested from pull request author.');
    if (logins.some((login) => !fake.collaborators.includes(login)))
      throw new Refusal(422, 'Reviews may only be requested from collaborators.');
    const others = pull.requested_reviewers.filter(({ login }) => !logins.includes(login));
    pull.requested_reviewers = [...others, ...logins.map((login) => ({ login }))];
    return ok(pull, 201);
  }

  function dispatch({ body }: Call, name = ''): Answer {
    const workflow = workflowOf(name);
    const { ref, inputs = {}, return_run_details: details = false, ...others } = body;
    const unknown = Object.keys(fake.enterprise && details ? { return_run_details: 0, ...others } : others);
    if (unknown.length > 0) throw new Refusal(422, `"${unknown.join()}" is not a permitted key.`);
    if (typeof ref !== 'string' || !fake.branches.includes(ref))
      throw new Refusal(422, `No ref found for: ${String(ref)}`);
    const { inputs: declared } = workflow;
    if (declared === null) throw new Refusal(422, "Workflow does not have 'workflow_dispatch' trigger");
    const odd = Object.keys(inputs as object).filter((key) => !declared.includes(key));
    if (odd.length > 0) throw new Refusal(422, `Unexpected inputs provided: ${JSON.stringify(odd)}`);
    const id = 1000 + fake.runs.length;
    fake.runs.push({
      id,
      name: workflow.name,
      path: workflow.path,
      event: 'workflow_dispatch',
      head_branch: ref,
      status: 'queued',
      conclusion: null,
      run_attempt: 1,
    });
    if (details !== true) return { status: 204 };
    const run = `repos/acme/web/actions/runs/${id}`;
    const html = `https://github.com/acme/web/actions/runs/${id}`;
    return ok({ workflow_run_id: id, run_url: `https://api.github.com/${run}`, html_url: html });
  }

  function rerun(run: Run): Answer {
    if (run.status !== 'completed') throw new Refusal(403, 'This workflow is already running');
    Object.assign(run, { status: 'queued', conclusion: null, run_attempt: run.run_attempt + 1 });
    return ok({}, 201);
  }

  function cancel(run: Run): Answer {
    if (run.status === 'completed') throw new Refusal(409, 'Cannot cancel a workflow run that is completed.');
    Object.assign(run, { status: 'completed', conclusion: 'cancelled' });
    return ok({}, 202);
  }

  const routes: readonly Route[] = [
    ['GET', /^\/meta$/, () => ok(fake.enterprise ? { installed_version: '3.19.2' } : { hooks: [] })],
    ['GET', /^\/user$/, () => ok({ id: 1, login: fake.login })],
    ['GET', /^\/pulls$/, ({ query }) => ok(paged(fake.pulls.filter(matching(query)), query))],
    ['POST', /^\/pulls$/, openPull],
    [
      'GET',
      /^\/pulls\/(\d+)$/,
      ({ headers }, number = '') =>
        headers.accept === 'application/vnd.github.diff'
          ? { status: 200, text: `diff --git a/${pullOf(number).number} b/x\n` }
          : ok(pullOf(number)),
    ],
    ['PATCH', /^\/pulls\/(\d+)$/, ({ body }, number = '') => ok(Object.assign(pullOf(number), body))],
    ['POST', /^\/pulls\/(\d+)\/requested_reviewers$/, requestReviewers],
    [
      'GET',
      /^\/actions\/workflows$/,
      () => ok({ total_count: fake.workflows.length, workflows: fake.workflows }),
    ],
    ['POST', /^\/actions\/workflows\/([^/]+)\/dispatches$/, dispatch],
    ['GET', /^\/actions\/workflows\/([^/]+)\/runs$/, (call, name = '') => listRuns(call, workflowOf(name))],
    ['GET', /^\/actions\/runs$/, (call) => listRuns(call)],
    ['GET', /^\/actions\/runs\/(\d+)$/, (_, id = '') => ok(runOf(id))],
    ['POST', /^\/actions\/runs\/(\d+)\/rerun$/, (_, id = '') => rerun(runOf(id))],
    [
      'POST',
      /^\/actions\/runs\/(\d+)\/rerun-failed-jobs$/,
      (_, id = '') => {
        if (runOf(id).conclusion !== 'failure') throw new Refusal(403, 'This workflow run cannot be retried');
        return rerun(runOf(id));
      },
    ],
    ['POST', /^\/actions\/runs\/(\d+)\/cancel$/, (_, id = '') => cancel(runOf(id))],
    [
      'GET',
      /^\/actions\/jobs\/(\d+)\/logs$/,
      (_, id = '') => {
        found(fake.logs[id]);
        return { status: 302, location: `${storageUrl}/${id}?sig=${signature}` };
      },
    ],
    ['PATCH', /^\/notifications\/threads\/(\d+)$/, () => ({ status: 205 })],
  ];

  function answer(call: Call): Answer {
    if (call.headers.authorization !== `Bearer ${fake.token}`) throw new Refusal(401, 'Bad credentials');
    const prefix = fake.enterprise ? '/api/v3' : '';
    if (!call.path.startsWith(`${prefix}/`)) throw new Refusal(404, 'Not Found');
    const path = call.path.slice(prefix.length).replace(/^\/repos\/acme\/web(?=\/)/, '');
    for (const [method, pattern, give] of routes) {
      const parts = method === call.method ? pattern.exec(path) : null;
      if (parts !== null) return give(call, ...parts.slice(1).map(decodeURIComponent));
    }
    throw new Refusal(404, 'Not Found');
  }

  const server = createServer((incoming, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of incoming.setEncoding('utf8')) body += chunk;
      const url = new URL(incoming.url ?? '', 'http://github');
      const { method = '', headers } = incoming;
      const sent: Record<string, unknown> = body === '' ? {} : JSON.parse(body);
      const call = { method, path: url.pathname, query: url.searchParams, headers, body: sent };
      fake.calls.push(call);
      const scripted = fake.script.shift();
      if (scripted !== undefined) return scripted(response);
      if (fake.enterprise) response.setHeader('x-github-enterprise-version', '3.19.2');
      write(
        response,
        outcome(() => answer(call)),
      );
    })();
  });
  fake.url = await listen(server);
  return fake;
}

function outcome(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, message, more } = error;
    const documentation_url = 'https://docs.github.com/rest';
    return ok({ message, ...more, documentation_url, status: String(status) }, status);
  }
}

function write(response: ServerResponse, { status, json, text, location }: Answer): void {
  if (location !== undefined) response.setHeader('location', location);
  if (json !== undefined) response.setHeader('content-type', 'application/json; charset=utf-8');
  if (text !== undefined) response.setHeader('content-type', 'application/vnd.github.diff; charset=utf-8');
  response.writeHead(status).end(text ?? (json === undefined ? undefined : JSON.stringify(json)));
}

function invalid(error: object): Refusal {
  return new Refusal(422, 'Validation Failed', { errors: [{ resource: 'PullRequest', ...error }] });
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Refusal(404, 'Not Found');
  return value;
}

const isOpen = ({ state }: Pull) => state === 'open';

function matching(query: URLSearchParams): (pull: Pull) => boolean {
  const state = query.get('state') ?? 'open';
  return (pull) =>
    (state === 'all' || pull.state === state) &&
    (query.get('head') ?? pull.head.label) === pull.head.label &&
    (query.get('base') ?? pull.base.ref) === pull.base.ref;
}

function paged<T>(items: readonly T[], query: URLSearchParams): T[] {
  const [size, page] = [Number(query.get('per_page') ?? 30), Number(query.get('page') ?? 1)];
  return items.slice((page - 1) * size, page * size);
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
