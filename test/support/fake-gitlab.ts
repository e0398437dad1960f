// A fake GitLab, built from its documentation: projects by id or path, merge requests that conflict,
// pipelines, jobs.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';

export interface Call {
  method: string;
  /** The path as received, without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Answer {
  status?: number;
  /** Sent as JSON, unless it is a string or bytes. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A pattern for method and path, whose groups arrive decoded, and the function that answers. */
export type Route = [request: RegExp, answer: (call: Call, ...parts: string[]) => Answer];

export interface Api {
  url: string;
  calls: Call[];
  close(): Promise<void>;
}

/** Serves an API by its routes. `check` may answer first. */
export async function serve(
  routes: readonly Route[],
  check: (call: Call) => Answer | null,
  missing: Answer,
): Promise<Api> {
  const calls: Call[] = [];
  const answerTo = (call: Call): Answer => {
    const refused = check(call);
    if (refused !== null) return refused;
    for (const [request, answer] of routes) {
      const match = request.exec(`${call.method} ${call.path}`);
      if (match !== null) return answer(call, ...match.slice(1).map(decodeURIComponent));
    }
    return missing;
  };
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk;
    const [path = '', search = ''] = (incoming.url ?? '').split('?');
    const { method = '', headers } = incoming;
    const call = { method, path, query: new URLSearchParams(search), headers, body };
    calls.push(call);
    const { status = 200, body: payload, headers: more = {} } = answerTo(call);
    const type = typeof payload === 'string' ? 'text/plain' : 'application/json';
    response.writeHead(status, payload === undefined ? more : { 'content-type': type, ...more });
    const whole = typeof payload === 'string' || payload instanceof Uint8Array;
    response.end(whole ? payload : JSON.stringify(payload));
  };
  const server = createServer((incoming, response) => void handle(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export interface MergeRequest {
  iid: number;
  state: string;
  source_branch: string;
  target_branch: string;
  source_project_id: number;
  target_project_id: number;
  [field: string]: unknown;
}

export interface Pipeline {
  id: number;
  status: string;
  ref: string;
  source: string;
  variables: unknown;
  inputs: unknown;
}

export interface FakeGitlab extends Api {
  token: string;
  project: { id: number; path_with_namespace: string };
  /** Branches that have a CI configuration. */
  configured: Set<string>;
  mergeRequests: MergeRequest[];
  pipelines: Pipeline[];
  /** Base64 contents by path. */
  files: Record<string, string>;
  logs: Record<number, string>;
}

/** Returns the response of a token endpoint and ends the former token. */
export function refreshed(state: { token: string }) {
  state.token += '+';
  return {
    access_token: state.token,
    refresh_token: `refresh ${state.token}`,
    token_type: 'bearer',
    expires_in: 7200,
  };
}

const refuse = (status: number, message: unknown): Answer => ({ status, body: { message } });

export async function startGitlab(base = '/api/v4'): Promise<FakeGitlab> {
  const state = {
    token: 'gitlab-token',
    project: { id: 42, path_with_namespace: 'acme/tools/web app' },
    configured: new Set(['main']),
    mergeRequests: [] as MergeRequest[],
    pipelines: [] as Pipeline[],
    files: {} as Record<string, string>,
    logs: {} as Record<number, string>,
  };
  const { project } = state;

  const pipeline = (id: string, act: (found: Pipeline) => Answer): Answer => {
    const found = state.pipelines.find((each) => each.id === Number(id));
    return found === undefined ? refuse(404, '404 Not found') : act(found);
  };
  const conflict = (wanted: Record<string, unknown>) =>
    state.mergeRequests.find(
      (each) =>
        each.state === 'opened' &&
        each.source_project_id === project.id &&
        each.source_branch === wanted['source_branch'] &&
        each.target_branch === wanted['target_branch'],
    );
  /** Applies filters by field name, and pages. */
  const page = (all: readonly Record<string, unknown>[], query: URLSearchParams): Answer => {
    const fields = [...query].filter(([name]) => !['page', 'per_page', 'order_by', 'sort'].includes(name));
    const found = all.filter((each) =>
      fields.every(([name, value]) => value === 'all' || each[name] === value),
    );
    const size = Number(query.get('per_page') ?? 20);
    const start = (Number(query.get('page') ?? 1) - 1) * size;
    return { body: found.slice(start, start + size) };
  };

  function createPipeline(body: Record<string, unknown>): Answer {
    const { ref, variables = [], inputs = {} } = body;
    if (typeof ref !== 'string') return { status: 400, body: { error: 'ref is missing' } };
    const isList = Array.isArray(variables) && variables.every((each) => 'key' in each && 'value' in each);
    if (!isList) return { status: 400, body: { error: 'variables is invalid' } };
    if (!state.configured.has(ref)) return refuse(400, { base: ['Missing CI config file'] });
    const id = 100 + state.pipelines.length;
    const made: Pipeline = { id, status: 'created', ref, source: 'api', variables, inputs };
    state.pipelines.unshift(made);
    return { status: 201, body: made };
  }

  function createMergeRequest(body: Record<string, unknown>): Answer {
    const missing = ['title', 'source_branch', 'target_branch'].filter((name) => !(name in body));
    if (missing.length > 0) return { status: 400, body: { error: `${missing.join(', ')} is missing` } };
    const open = conflict(body);
    if (open !== undefined)
      return refuse(409, [`Another open merge request already exists for this source branch: !${open.iid}`]);
    const made: MergeRequest = {
      source_branch: String(body['source_branch']),
      target_branch: String(body['target_branch']),
      ...body,
      iid: state.mergeRequests.length + 1,
      state: 'opened',
      source_project_id: project.id,
      target_project_id: project.id,
    };
    state.mergeRequests.unshift(made);
    return { status: 201, body: made };
  }

  function updateMergeRequest(iid: string, body: Record<string, unknown>): Answer {
    const found = state.mergeRequests.find((each) => each.iid === Number(iid));
    if (found === undefined) return refuse(404, '404 Not found');
    const { state_event, ...changes } = body;
    Object.assign(found, changes, state_event === 'close' ? { state: 'closed' } : {});
    return { body: found };
  }

  const of = (path: string) => new RegExp(path.replace(':project', `${base}/projects/([^/]+)`));
  const json = ({ body }: Call) => JSON.parse(body);
  /** Makes a route of a project, which answers 404 for an unknown project. */
  const route = (request: string, answer: (call: Call, ...parts: string[]) => Answer): Route => [
    of(`^${request}$`),
    (call, id = '', ...parts) =>
      id === String(project.id) || id === project.path_with_namespace
        ? answer(call, ...parts)
        : refuse(404, '404 Project Not Found'),
  ];

  const api = await serve(
    [
      [/^POST \/oauth\/token$/, () => ({ body: refreshed(state) })],
      [new RegExp(`^GET ${base}/user$`), () => ({ body: { id: 1, username: 'ana' } })],
      route('GET :project', () => ({ body: project })),
      route('POST :project/merge_requests', (call) => createMergeRequest(json(call))),
      route('GET :project/merge_requests', ({ query }) => page(state.mergeRequests, query)),
      route('PUT :project/merge_requests/(\\d+)', (call, iid = '') => updateMergeRequest(iid, json(call))),
      route('POST :project/pipeline', (call) => createPipeline(json(call))),
      route('GET :project/pipelines', ({ query }) =>
        page(
          state.pipelines.map((each) => ({ ...each })),
          query,
        ),
      ),
      route('GET :project/pipelines/(\\d+)', (_, id = '') => pipeline(id, (found) => ({ body: found }))),
      route('POST :project/pipelines/(\\d+)/retry', (_, id = '') =>
        pipeline(id, (found) => ({ status: 201, body: Object.assign(found, { status: 'running' }) })),
      ),
      route('POST :project/pipelines/(\\d+)/cancel', (_, id = '') =>
        pipeline(id, (found) => ({ status: 200, body: Object.assign(found, { status: 'canceled' }) })),
      ),
      route('GET :project/jobs/(\\d+)/trace', (_, id = '') => {
        const log = state.logs[Number(id)];
        return log === undefined ? refuse(404, '404 Not found') : { body: log };
      }),
      route('GET :project/repository/files/([^/]+)', ({ query }, path = '') => {
        const content = state.files[path];
        if (!query.has('ref')) return { status: 400, body: { error: 'ref is missing, ref is empty' } };
        return content === undefined
          ? refuse(404, '404 File Not Found')
          : { body: { file_path: path, encoding: 'base64', content } };
      }),
      route('DELETE :project/repository/branches/([^/]+)', () => ({ status: 204 })),
    ],
    ({ path, headers }) =>
      path === '/oauth/token' || headers.authorization === `Bearer ${state.token}`
        ? null
        : refuse(401, '401 Unauthorized'),
    { status: 404, body: { error: '404 Not Found' } },
  );
  return Object.assign(state, api);
}
