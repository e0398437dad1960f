// Tests GitHub: tool, arguments → what is sent, for every tool.
import { describe, expect, it } from 'vitest';
import { github } from '../../integrations/github/manifest.ts';
import { resolveBase } from '../../src/connections/calls/api-base.ts';
import type { UpstreamCall } from '../../src/kit/integration.ts';
import { run, sent } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createMemoryFiles } from '../support/memory-files.ts';

const web = { owner: 'acme', repo: 'web' };
const issue = { ...web, issueNumber: 3 };
const pull = { ...web, pullNumber: 4 };
const job = { ...web, runId: 5 };
const at = '/repos/acme/web';
const commit = (sha: string) => ({ sha, commit: { tree: { sha: `tree-of-${sha}` } } });

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

const rows: readonly Row[] = [
  ['whoami', {}, 'GET /user'],
  ['list_repositories', {}, 'GET /user/repos?visibility=all&sort=updated&per_page=30&page=1'],
  [
    'list_org_repositories',
    { org: 'acme', type: 'forks', perPage: 5, page: 2 },
    'GET /orgs/acme/repos?type=forks&per_page=5&page=2',
  ],
  [
    'search_repositories',
    { query: 'a b language:go', sort: 'stars' },
    'GET /search/repositories?q=a b language:go&sort=stars&per_page=10&page=1',
  ],
  ['get_repository', { owner: 'a/b', repo: 'ü?' }, 'GET /repos/a%2Fb/%C3%BC%3F'],
  [
    'create_repository',
    { name: 'web', private: true, autoInit: true },
    'POST /user/repos {"name":"web","private":true,"auto_init":true}',
  ],
  ['create_repository', { name: 'web', org: 'acme' }, 'POST /orgs/acme/repos {"name":"web"}'],
  ['fork_repository', { ...web, defaultBranchOnly: true }, `POST ${at}/forks {"default_branch_only":true}`],
  ['list_branches', { ...web, protected: true }, `GET ${at}/branches?protected=true&per_page=30&page=1`],
  [
    'create_branch',
    { ...web, branch: 'feature/x' },
    [
      `GET ${at}`,
      `GET ${at}/commits/trunk?per_page=1`,
      `POST ${at}/git/refs {"ref":"refs/heads/feature/x","sha":"c1"}`,
    ],
    [{ default_branch: 'trunk' }, commit('c1')],
  ],
  [
    'create_branch',
    { ...web, branch: 'x', fromRef: 'release/1' },
    [`GET ${at}/commits/release%2F1?per_page=1`, `POST ${at}/git/refs {"ref":"refs/heads/x","sha":"c1"}`],
    [commit('c1')],
  ],
  [
    'create_branch',
    { ...web, branch: 'x', sha: 'abc', ref: 'refs/heads/y' },
    `POST ${at}/git/refs {"ref":"refs/heads/y","sha":"abc"}`,
  ],
  ['delete_branch', { ...web, ref: 'heads/feature/x#1' }, `DELETE ${at}/git/refs/heads/feature/x%231`],
  [
    'list_commits',
    { ...web, sha: 'main', path: 'docs/a.md', author: 'bo', since: '2026-01-01T00:00:00Z' },
    `GET ${at}/commits?sha=main&path=docs/a.md&author=bo&since=2026-01-01T00:00:00Z&per_page=30&page=1`,
  ],
  ['get_commit', { ...web, ref: 'feature/x' }, `GET ${at}/commits/feature%2Fx`],
  ['compare_commits', { ...web, basehead: 'main...bo:x/y' }, `GET ${at}/compare/main...bo%3Ax%2Fy`],
  [
    'get_file_contents',
    { ...web, path: '/docs/a b/ü#?.md', ref: 'feature/x' },
    `GET ${at}/contents/docs/a%20b/%C3%BC%23%3F.md?ref=feature/x`,
  ],
  ['get_file_contents', { ...web, path: '/' }, `GET ${at}/contents/`],
  [
    'get_repository_tree',
    { ...web, treeSha: 'main', recursive: '1' },
    `GET ${at}/git/trees/main?recursive=1`,
  ],
  [
    'create_or_update_file',
    { ...web, path: 'docs/a.md', message: 'm', content: 'Grüße 🐙\n', branch: 'x', sha: 'b1' },
    `PUT ${at}/contents/docs/a.md {"message":"m","content":"R3LDvMOfZSDwn5CZCg==","branch":"x","sha":"b1"}`,
  ],
  [
    'delete_file',
    { ...web, path: 'docs/a.md', message: 'm', sha: 'b1' },
    `DELETE ${at}/contents/docs/a.md {"message":"m","sha":"b1"}`,
  ],
  [
    'push_files',
    { ...web, branch: 'feature/x', message: 'm', files: [{ path: 'a/b.md', content: 'hi' }] },
    [
      `GET ${at}/commits/heads%2Ffeature%2Fx?per_page=1`,
      `POST ${at}/git/trees {"tree":[{"path":"a/b.md","content":"hi","mode":"100644","type":"blob"}],"base_tree":"tree-of-c1"}`,
      `POST ${at}/git/commits {"message":"m","tree":"t2","parents":["c1"]}`,
      `PATCH ${at}/git/refs/heads/feature/x {"sha":"c2"}`,
    ],
    [commit('c1'), { sha: 't2' }, { sha: 'c2' }],
  ],
  [
    'push_files',
    {
      ...web,
      branch: 'x',
      message: 'm',
      files: [
        { path: 'bin/go', content: '#!/bin/sh' },
        { path: 'bin/new', content: '#!/bin/sh' },
      ],
    },
    [
      `GET ${at}/commits/heads%2Fx?per_page=1`,
      `GET ${at}/git/trees/tree-of-c1?recursive=1`,
      `POST ${at}/git/trees {"tree":[{"path":"bin/go","content":"#!/bin/sh","mode":"100755","type":"blob"},{"path":"bin/new","content":"#!/bin/sh","mode":"100644","type":"blob"}],"base_tree":"tree-of-c1"}`,
      `POST ${at}/git/commits {"message":"m","tree":"t2","parents":["c1"]}`,
      `PATCH ${at}/git/refs/heads/x {"sha":"c2"}`,
    ],
    [
      commit('c1'),
      {
        tree: [
          { path: 'bin', mode: '040000', type: 'tree' },
          { path: 'bin/go', mode: '100755', type: 'blob' },
        ],
      },
      { sha: 't2' },
      { sha: 'c2' },
    ],
  ],
  ['list_tags', web, `GET ${at}/tags?per_page=30&page=1`],
  ['list_releases', web, `GET ${at}/releases?per_page=10&page=1`],
  ['get_latest_release', web, `GET ${at}/releases/latest`],
  [
    'create_release',
    { ...web, tagName: 'v1', targetCommitish: 'main', generateReleaseNotes: true },
    `POST ${at}/releases {"tag_name":"v1","target_commitish":"main","generate_release_notes":true}`,
  ],
  ['search_code', { query: 'x' }, 'GET /search/code?q=x&per_page=10&page=1'],
  [
    'list_issues',
    { ...web, labels: 'bug,ui', assignee: '*' },
    `GET ${at}/issues?state=open&labels=bug,ui&assignee=*&per_page=10&page=1`,
  ],
  ['get_issue', issue, `GET ${at}/issues/3`],
  [
    'create_issue',
    { ...web, title: 't', labels: ['bug'], assignees: ['bo'], milestone: 2, type: 'Bug' },
    `POST ${at}/issues {"title":"t","labels":["bug"],"assignees":["bo"],"milestone":2,"type":"Bug"}`,
  ],
  [
    'update_issue',
    { ...issue, state: 'closed', stateReason: 'not_planned', labels: [] },
    `PATCH ${at}/issues/3 {"labels":[],"state":"closed","state_reason":"not_planned"}`,
  ],
  ['list_issue_comments', issue, `GET ${at}/issues/3/comments?per_page=30&page=1`],
  ['add_issue_comment', { ...issue, body: 'hi' }, `POST ${at}/issues/3/comments {"body":"hi"}`],
  ['add_issue_labels', { ...issue, labels: ['a'] }, `POST ${at}/issues/3/labels {"labels":["a"]}`],
  ['list_labels', web, `GET ${at}/labels?per_page=50&page=1`],
  [
    'search_issues',
    { query: 'is:pr', order: 'asc' },
    'GET /search/issues?q=is:pr&order=asc&per_page=10&page=1',
  ],
  ['list_pull_requests', web, `GET ${at}/pulls?state=open&per_page=10&page=1`],
  ['get_pull_request', pull, `GET ${at}/pulls/4`],
  ['get_pull_request_diff', pull, `GET ${at}/pulls/4`],
  [
    'create_pull_request',
    { ...web, title: 't', head: 'bo:x', base: 'main', maintainerCanModify: true, reviewers: ['cy'] },
    [
      `POST ${at}/pulls {"title":"t","head":"bo:x","base":"main","maintainer_can_modify":true}`,
      `POST ${at}/pulls/4/requested_reviewers {"reviewers":["cy"]}`,
    ],
    [
      { number: 4, user: { login: 'bo' } },
      { number: 4, requested_reviewers: [] },
    ],
  ],
  ['update_pull_request', { ...pull, base: 'x' }, `PATCH ${at}/pulls/4 {"base":"x"}`],
  [
    'merge_pull_request',
    { ...pull, commitTitle: 't' },
    `PUT ${at}/pulls/4/merge {"merge_method":"merge","commit_title":"t"}`,
  ],
  [
    'update_pull_request_branch',
    { ...pull, expectedHeadSha: 'c1' },
    `PUT ${at}/pulls/4/update-branch {"expected_head_sha":"c1"}`,
  ],
  ['list_pull_request_files', pull, `GET ${at}/pulls/4/files?per_page=30&page=1`],
  ['list_pull_request_commits', pull, `GET ${at}/pulls/4/commits?per_page=30&page=1`],
  ['list_pull_request_reviews', pull, `GET ${at}/pulls/4/reviews?per_page=30&page=1`],
  [
    'create_pull_request_review',
    { ...pull, event: 'COMMENT', commitId: 'c1', comments: [{ path: 'a', body: 'b', start_line: 1 }] },
    `POST ${at}/pulls/4/reviews {"event":"COMMENT","commit_id":"c1","comments":[{"path":"a","body":"b","start_line":1}]}`,
  ],
  ['list_review_comments', pull, `GET ${at}/pulls/4/comments?per_page=30&page=1`],
  [
    'reply_to_review_comment',
    { ...pull, commentId: 9, body: 'hi' },
    `POST ${at}/pulls/4/comments/9/replies {"body":"hi"}`,
  ],
  [
    'request_reviewers',
    { ...pull, reviewers: ['bo'], teamReviewers: ['core'] },
    `POST ${at}/pulls/4/requested_reviewers {"reviewers":["bo"],"team_reviewers":["core"]}`,
  ],
  [
    'get_commit_checks',
    { ...web, ref: 'feature/x', status: 'completed' },
    `GET ${at}/commits/feature%2Fx/check-runs?status=completed&per_page=50&page=1`,
  ],
  ['list_workflows', web, `GET ${at}/actions/workflows?per_page=30&page=1`],
  [
    'trigger_workflow',
    { ...web, workflow: 'ci.yml', ref: 'x/y', inputs: { a: '1' } },
    `POST ${at}/actions/workflows/ci.yml/dispatches {"ref":"x/y","inputs":{"a":"1"}}`,
  ],
  [
    'list_workflow_runs',
    { ...web, event: 'push', branch: 'x/y', headSha: 'c1' },
    `GET ${at}/actions/runs?event=push&branch=x/y&head_sha=c1&per_page=10&page=1`,
  ],
  [
    'list_workflow_runs',
    { ...web, workflow: '11', status: 'success', actor: 'bo' },
    `GET ${at}/actions/workflows/11/runs?status=success&actor=bo&per_page=10&page=1`,
  ],
  ['get_workflow_run', job, `GET ${at}/actions/runs/5`],
  ['rerun_workflow_run', job, `POST ${at}/actions/runs/5/rerun {}`],
  ['rerun_workflow_run', { ...job, failedOnly: true }, `POST ${at}/actions/runs/5/rerun-failed-jobs {}`],
  ['cancel_workflow_run', job, `POST ${at}/actions/runs/5/cancel {}`],
  ['list_workflow_run_jobs', job, `GET ${at}/actions/runs/5/jobs?filter=latest&per_page=30&page=1`],
  ['get_job_logs', { ...web, jobId: 6 }, `GET ${at}/actions/jobs/6/logs`],
  ['list_run_artifacts', job, `GET ${at}/actions/runs/5/artifacts?per_page=30&page=1`],
  ['list_notifications', { all: true }, 'GET /notifications?all=true&per_page=20&page=1'],
  ['mark_notification_read', { threadId: '8' }, 'PATCH /notifications/threads/8 {}'],
  [
    'create_gist',
    { files: { 'a.md': { content: 'hi' } } },
    'POST /gists {"files":{"a.md":{"content":"hi"}},"public":false}',
  ],
];

describe('the requests of GitHub tools', () => {
  const cases = rows.map(([name, args, requests, answers = []]) => ({ name, args, requests, answers }));
  it.each(cases)('sends the requests of $name with $args', async ({ name, args, requests, answers }) => {
    expect(await sent(github, `github_${name}`, args, answers)).toEqual([requests].flat());
  });

  it('has a row here for every tool', () => {
    const shown = new Set(rows.map(([name]) => `github_${name}`));
    expect([...shown]).toEqual(github.tools.map(({ name }) => name));
    expect(shown.size).toBe(59);
  });

  it.each(['..', '.', 'docs/../../../user', 'docs/.'])(
    'refuses the path "%s", which would leave the API',
    async (path) => {
      await expect(sent(github, 'github_get_file_contents', { ...web, path })).rejects.toThrow(
        /cannot be part of/,
      );
    },
  );
});

describe('the results of GitHub tools', () => {
  const result = (name: string, args: object, answer: unknown) =>
    run(github, name, args, {
      userId: 'u',
      clock: createFakeClock(),
      files: createMemoryFiles(),
      upstream: async () => Response.json(answer),
      fetch: () => Promise.reject(new Error('none')),
    });
  const read = (answer: unknown) => result('github_get_file_contents', { ...web, path: 'a' }, answer);

  it('contain a file as text', async () => {
    const file = { type: 'file', encoding: 'base64', content: 'R3LDvMOfZSDw\nn5CZCg==\n', sha: 'b1' };
    expect(await read(file)).toEqual({ ...file, encoding: 'utf-8', content: 'Grüße 🐙\n' });
  });

  it('contain bytes as a kept file', async () => {
    const file = { type: 'file', encoding: 'base64', content: '/9j/4A==\n', sha: 'b1' };
    expect(await read(file)).toEqual({
      type: 'file',
      sha: 'b1',
      file: expect.objectContaining({ name: 'a', bytes: 4 }),
    });
  });

  it('leave a large file, a directory and a submodule unchanged', async () => {
    for (const answer of [
      { type: 'file', encoding: 'none', content: '', size: 50_000_000 },
      { type: 'submodule', sha: 'c1' },
      [{ type: 'dir', name: 'docs' }],
    ])
      expect(await read(answer)).toEqual(answer);
  });
});

describe('errors of GitHub', () => {
  function limited(
    status: number,
    message: string,
    remaining: string,
    reset: string,
    limit = 'x-ratelimit',
  ): Response {
    const headers = { [`${limit}-remaining`]: remaining, [`${limit}-reset`]: reset };
    return Response.json({ message }, { status, headers });
  }

  it.each([
    [Response.json({ message: 'Not Found' }, { status: 404 }), '404: Not Found'],
    [new Response(null, { status: 403 }), '403: the upstream gave no reason'],
    [Response.json({}, { status: 400 }), '400: the upstream gave no reason'],
    [Response.json([], { status: 400 }), '400: the upstream gave no reason'],
    [new Response(' \n', { status: 502 }), '502: the upstream gave no reason'],
    [new Response('<html><body></body></html>', { status: 502 }), '502: the upstream gave no reason'],
    [Response.json({ code: 7 }, { status: 400 }), '400: {"code":7}'],
    [
      Response.json(
        { message: 'You have exceeded a secondary rate limit.' },
        { status: 403, headers: { 'retry-after': '60' } },
      ),
      '403: You have exceeded a secondary rate limit. (try again in 60 seconds)',
    ],
    [
      new Response('down', { status: 503, headers: { 'retry-after': 'Sun, 01 Mar 2026 09:00:00 GMT' } }),
      '503: down (try again after Sun, 01 Mar 2026 09:00:00 GMT)',
    ],
    [new Response('down', { status: 503, headers: { 'retry-after': 'soon' } }), '503: down'],
    [
      limited(403, 'API rate limit exceeded for user ID 1.', '0', '1772355600'),
      '403: API rate limit exceeded for user ID 1. (try again after Sun, 01 Mar 2026 09:00:00 GMT)',
    ],
    [limited(429, 'Slow down', '0', '37'), '429: Slow down (try again in 37 seconds)'],
    // PagerDuty and Sentry use other names for these fields.
    [limited(429, 'Slow down', '0', '37', 'ratelimit'), '429: Slow down (try again in 37 seconds)'],
    [
      limited(429, 'Slow down', '0', '1772355600', 'x-sentry-rate-limit'),
      '429: Slow down (try again after Sun, 01 Mar 2026 09:00:00 GMT)',
    ],
    [limited(429, 'Slow down', '3', '1772355600', 'x-sentry-rate-limit'), '429: Slow down'],
    [limited(403, 'Forbidden', '4999', '1772355600'), '403: Forbidden'],
    [limited(404, 'Not Found', '0', '1772355600'), '404: Not Found'],
    [limited(429, 'Slow down', '0', 'x'), '429: Slow down'],
  ])('turns %o into "%s"', async (answer, message) => {
    await expect(sent(github, 'github_whoami', {}, [answer])).rejects.toMatchObject({ message });
  });
});

describe('a file over 1 MB, which GitHub sends without its content', () => {
  const without = { type: 'file', encoding: 'none', content: '', size: 2_000_000, sha: 'b1' };
  const read = async (bytes: Uint8Array<ArrayBuffer>) => {
    const calls: UpstreamCall[] = [];
    const file = await run(
      github,
      'github_get_file_contents',
      { ...web, path: 'a b', ref: 'main' },
      {
        userId: 'u',
        clock: createFakeClock(),
        files: createMemoryFiles(),
        upstream: async (call) => (calls.push(call) === 1 ? Response.json(without) : new Response(bytes)),
        fetch: () => Promise.reject(new Error('none')),
      },
    );
    return { file, again: calls[1] };
  };

  it('is requested again as raw content', async () => {
    const { file, again } = await read(new TextEncoder().encode('Grüße 🐙\n'));
    expect(file).toEqual({ ...without, encoding: 'utf-8', content: 'Grüße 🐙\n' });
    expect(again).toMatchObject({
      path: `${at}/contents/a%20b`,
      headers: { accept: 'application/vnd.github.raw+json' },
    });
    expect(String(again?.query)).toBe('ref=main');
  });

  it('is a kept file when it is not text', async () => {
    const { file } = await read(Uint8Array.of(255, 216, 255, 224));
    const { content: _, encoding: __, ...about } = without;
    expect(file).toEqual({ ...about, file: expect.objectContaining({ name: 'a b', bytes: 4 }) });
  });
});

describe('the base address of a call', () => {
  it.each([
    [{}, 'https://api.github.com'],
    [{ instanceUrl: 'https://github.com' }, 'https://api.github.com'],
    [{ instanceUrl: 'https://git.corp.example:8443' }, 'https://git.corp.example:8443/api/v3'],
    [{ instanceUrl: 'https://acme.ghe.com' }, 'https://api.acme.ghe.com'],
    [{ instanceUrl: 'https://a.b.ghe.com' }, 'https://a.b.ghe.com/api/v3'],
    [{ instanceUrl: 'https://acme.ghe.com.example' }, 'https://acme.ghe.com.example/api/v3'],
    [{ instanceUrl: 'https://acme.ghe.com:8443' }, 'https://acme.ghe.com:8443/api/v3'],
    [{ instanceUrl: 'http://acme.ghe.com' }, 'http://acme.ghe.com/api/v3'],
  ])('turns %o into %s', (config, base) => {
    expect(resolveBase(github, config)).toEqual({ ok: true, base });
  });
});
