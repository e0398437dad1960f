// A fake Bitbucket Cloud, built from its documentation: reviewers that silently disappear, pipelines with
// nested state, files.
import { type Answer, type Api, type Call, refreshed, type Route, serve } from './fake-gitlab.ts';

export interface PullRequest {
  id: number;
  title: string;
  description?: string;
  close_source_branch?: boolean;
  draft?: boolean;
  state: string;
  author: { uuid: string };
  reviewers: { uuid: string }[];
  source: { branch: { name: string }; repository: { uuid: string } | null };
  destination: { branch: { name: string }; repository: { uuid: string } };
}

export interface Pipeline {
  type: 'pipeline';
  uuid: string;
  build_number: number;
  target: Record<string, unknown>;
  variables: unknown[];
  state: { name: string; stage?: { name: string }; result?: { name: string } };
  created_on: string;
  completed_on?: string;
}

export interface FakeBitbucket extends Api {
  token: string;
  /** The account of the token. */
  me: string;
  enabled: boolean;
  pullRequests: PullRequest[];
  pipelines: Pipeline[];
  /** File contents by `commit path`. */
  files: Record<string, { type: string; content: string | Uint8Array }>;
  branches: Record<string, string>;
  log: string;
}

type Body = Record<string, unknown>;

const REPOSITORY = '{00000000-0000-4000-8000-000000000001}';
const BRACED = /^\{[0-9a-f-]{36}\}$/;

const refuse = (status: number, message: string, more: object = {}): Answer => ({
  status,
  body: { type: 'error', error: { message, ...more } },
});
const page = (values: readonly unknown[]): Answer => ({
  body: { values, pagelen: 10, page: 1, size: values.length },
});

/**
 * Like the real Bitbucket, keeps no reviewer when the author is among them or when there is no list. Null
 * means a malformed list.
 */
function accepted(reviewers: unknown, author: string): { uuid: string }[] | null {
  const wanted: { uuid: string }[] = Array.isArray(reviewers) ? reviewers : [];
  if (wanted.some(({ uuid }) => !BRACED.test(uuid))) return null;
  return wanted.some(({ uuid }) => uuid === author) ? [] : wanted;
}

export async function startBitbucket(): Promise<FakeBitbucket> {
  const state = {
    token: 'bitbucket-token',
    me: '{0a000000-0000-4000-8000-00000000000a}',
    enabled: true,
    pullRequests: [] as PullRequest[],
    pipelines: [] as Pipeline[],
    files: {} as FakeBitbucket['files'],
    branches: {} as Record<string, string>,
    log: '',
  };

  /** Accepts `state="OPEN" AND source.branch.name="…"`. The list does not show reviewers. */
  function findPullRequests(q: string | null): Answer {
    const match = /^state="OPEN" AND source\.branch\.name="((?:[^"\\]|\\.)*)"$/.exec(q ?? '');
    if (match === null) return refuse(400, 'Invalid query');
    const name = match[1]?.replace(/\\(.)/g, '$1');
    const found = state.pullRequests.filter(
      (each) => each.state === 'OPEN' && each.source.branch.name === name,
    );
    return page(found.map(({ reviewers, ...shown }) => shown));
  }

  function openPullRequest(body: Body): Answer {
    const reviewers = accepted(body['reviewers'], state.me);
    if (reviewers === null) return refuse(400, 'reviewers: Malformed reviewers list');
    const destination = body['destination'] ?? { branch: { name: 'main' } };
    const made = {
      ...body,
      id: state.pullRequests.length + 1,
      state: 'OPEN',
      author: { uuid: state.me },
      reviewers,
      source: { ...Object(body['source']), repository: { uuid: REPOSITORY } },
      destination: { ...Object(destination), repository: { uuid: REPOSITORY } },
    } as PullRequest;
    state.pullRequests.push(made);
    return { status: 201, body: made };
  }

  function changePullRequest(found: PullRequest, body: Body): Answer {
    if (!('title' in body)) return refuse(400, 'title: This field is required.');
    const reviewers = accepted(body['reviewers'], found.author.uuid);
    if (reviewers === null) return refuse(400, 'reviewers: Malformed reviewers list');
    const destination = { ...found.destination, ...Object(body['destination'] ?? {}) };
    // According to the documentation, a PUT drops every field that it leaves out, except source and
    // destination.
    const dropped = { description: '', close_source_branch: false, draft: false };
    return { body: Object.assign(found, dropped, body, { reviewers, destination }) };
  }

  function startPipeline(body: Body): Answer {
    if (!state.enabled) return refuse(400, 'Bad request', { detail: 'Pipelines are not enabled' });
    const { variables = [], target } = body;
    const number = state.pipelines.length + 1;
    const made: Pipeline = {
      type: 'pipeline',
      uuid: `{${String(number).padStart(8, '0')}-0000-4000-8000-000000000000}`,
      build_number: number,
      target: Object(target),
      variables: Array.isArray(variables) ? variables : [],
      state: { name: 'PENDING' },
      created_on: '2026-11-20T10:00:00Z',
    };
    state.pipelines.unshift(made);
    return { status: 201, body: made };
  }

  function stopPipeline(found: Pipeline): Answer {
    if (found.state.name === 'COMPLETED')
      return refuse(400, 'Bad request', { detail: 'The pipeline has already completed' });
    Object.assign(found, {
      state: { name: 'COMPLETED', result: { name: 'STOPPED' } },
      completed_on: '2026-11-20T10:01:00Z',
    });
    return { status: 204 };
  }

  const pullRequest = (id: string, act: (found: PullRequest) => Answer): Answer => {
    const found = state.pullRequests.find((each) => each.id === Number(id));
    return found === undefined ? refuse(404, `Pull request ${id} not found`) : act(found);
  };
  const pipeline = (uuid: string, act: (found: Pipeline) => Answer): Answer => {
    const found = state.pipelines.find((each) => each.uuid === uuid);
    return found === undefined ? refuse(404, 'Not found', { detail: `No pipeline ${uuid}` }) : act(found);
  };
  const json = ({ body }: Call) => JSON.parse(body);
  const route = (request: string, answer: Route[1]): Route => [
    new RegExp(`^${request.replace(':repo', '/2\\.0/repositories/acme/web')}$`),
    answer,
  ];

  const api = await serve(
    [
      [/^POST \/site\/oauth2\/access_token$/, () => ({ body: refreshed(state) })],
      [/^GET \/2\.0\/user$/, () => ({ body: { uuid: state.me, display_name: 'Ana' } })],
      route('GET :repo/pullrequests', ({ query }) => findPullRequests(query.get('q'))),
      route('POST :repo/pullrequests', (call) => openPullRequest(json(call))),
      route('GET :repo/pullrequests/(\\d+)', (_, id = '') => pullRequest(id, (found) => ({ body: found }))),
      route('PUT :repo/pullrequests/(\\d+)', (call, id = '') =>
        pullRequest(id, (found) => changePullRequest(found, json(call))),
      ),
      // The merge of number 8 takes longer than Bitbucket waits, so the body is empty.
      route('POST :repo/pullrequests/(\\d+)/merge', (_, id = '') =>
        id === '8'
          ? {
              status: 202,
              body: '',
              headers: {
                location:
                  'https://api.bitbucket.org/2.0/repositories/acme/web/pullrequests/8/merge/task-status/t1',
              },
            }
          : { body: { id: Number(id), state: 'MERGED' } },
      ),
      route('GET :repo/pullrequests/(\\d+)/diff', (_, id = '') => ({
        status: 302,
        headers: { location: `/2.0/repositories/acme/web/diff/feat%2F${id}..main` },
      })),
      route('GET :repo/diff/([^/]+)', (_, spec = '') => ({ body: `diff of ${spec}` })),
      // A POST needs the trailing slash; there is no such resource without it.
      route('POST :repo/pipelines/', (call) => startPipeline(json(call))),
      route('GET :repo/pipelines', ({ query }) => {
        const branch = query.get('target.branch');
        return page(state.pipelines.filter(({ target }) => branch === null || target['ref_name'] === branch));
      }),
      route('GET :repo/pipelines/([^/]+)', (_, uuid = '') => pipeline(uuid, (found) => ({ body: found }))),
      route('POST :repo/pipelines/([^/]+)/stopPipeline', (_, uuid = '') => pipeline(uuid, stopPipeline)),
      route('GET :repo/pipelines/([^/]+)/steps', (_, uuid = '') =>
        pipeline(uuid, () => page([{ uuid: `{${'5'.repeat(8)}-0000-4000-8000-000000000000}` }])),
      ),
      route('GET :repo/pipelines/([^/]+)/steps/([^/]+)/log', ({ headers }, uuid = '', step = '') => {
        // A log is not JSON, so a client that accepts only JSON gets a 406.
        if (headers.accept === 'application/json') return refuse(406, 'Not Acceptable');
        return pipeline(uuid, () => (BRACED.test(step) ? { body: state.log } : refuse(404, 'Not found')));
      }),
      route('GET :repo/refs/branches/([^/]+)', (_, name = '') => {
        const hash = state.branches[name];
        return hash === undefined
          ? refuse(404, `No branch with name '${name}'`)
          : { body: { name, target: { hash } } };
      }),
      route('GET :repo/refs/tags/([^/]+)', (_, name = '') =>
        name === 'release/1.2'
          ? { body: { target: { hash: 'abc' } } }
          : refuse(404, `No tag with name '${name}'`),
      ),
      // Bitbucket treats a slash in the commit as part of the path, encoded or not.
      route('GET :repo/src/([^/%]+)/(.*)', (_, commit = '', path = '') => {
        const file = state.files[`${commit} ${path}`];
        return file === undefined
          ? refuse(404, `No such file or directory: ${path}`)
          : { body: file.content, headers: { 'content-type': file.type } };
      }),
      route('POST :repo/src', () => ({
        status: 201,
        headers: { location: '/2.0/repositories/acme/web/commit/abc' },
      })),
    ],
    ({ path, headers, query, body }) => {
      if (path.startsWith('/site/')) return null;
      // Bitbucket has refused these tokens since 2026-05-04.
      if (query.has('access_token') || /access_token=/.test(body))
        return refuse(400, 'Token outside of the header');
      return headers.authorization === `Bearer ${state.token}`
        ? null
        : refuse(401, 'Token is invalid or not supported for this endpoint.');
    },
    refuse(404, 'Resource not found'),
  );
  return Object.assign(state, api);
}
