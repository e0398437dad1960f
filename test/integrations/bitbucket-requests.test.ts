// Lists what each Bitbucket tool sends, one line per tool.
import { describe, expect, it } from 'vitest';
import { bitbucket } from '../../integrations/bitbucket/manifest.ts';
import { sent } from '../support/capture.ts';

const R = '/repositories/acme/web';
const r = { workspace: 'acme', repoSlug: 'web' };
const PR = `${R}/pullrequests/7`;
const pr = { ...r, pullRequestId: 7 };
const UUID = '0a1b2c3d-0000-4000-8000-00000000000e';
const ENCODED = `%7B${UUID}%7D`;
const pipeline = { ...r, pipelineUuid: `{${UUID}}` };

const TABLE: [tool: string, args: object, request: string][] = [
  ['whoami', {}, 'GET /user'],
  ['list_workspaces', {}, 'GET /user/workspaces?pagelen=20&page=1'],
  [
    'list_repositories',
    { workspace: `{${UUID}}`, role: 'member', query: 'name ~ "a b"', sort: '-updated_on' },
    `GET /repositories/${ENCODED}?role=member&q=name ~ "a b"&sort=-updated_on&pagelen=10&page=1`,
  ],
  ['get_repository', r, `GET ${R}`],
  [
    'create_repository',
    { ...r, description: 'd', project: { key: 'P' }, mainbranch: { name: 'main' } },
    `POST ${R} {"description":"d","is_private":true,"project":{"key":"P"},"mainbranch":{"name":"main"}}`,
  ],
  ['list_branches', { ...r, query: 'name ~ "x"' }, `GET ${R}/refs/branches?q=name ~ "x"&pagelen=25&page=1`],
  [
    'create_branch',
    { ...r, name: 'feat/a', fromRef: 'main' },
    `POST ${R}/refs/branches {"name":"feat/a","target":{"hash":"main"}}`,
  ],
  ['delete_branch', { ...r, name: 'feat/ü#1' }, `DELETE ${R}/refs/branches/feat%2F%C3%BC%231`],
  [
    'list_commits',
    { ...r, include: 'feat/a', exclude: 'main', path: 'src/a b.ts', page: 'x9' },
    `GET ${R}/commits?include=feat/a&exclude=main&path=src/a b.ts&pagelen=20&page=x9`,
  ],
  ['get_commit', { ...r, commit: 'abc' }, `GET ${R}/commit/abc`],
  [
    'get_diff',
    { ...r, spec: 'feat/a..main', context: 0, path: 'src', ignoreWhitespace: true },
    `GET ${R}/diff/feat%2Fa..main?context=0&path=src&ignore_whitespace=true`,
  ],
  [
    'get_file',
    { ...r, commit: 'main', path: '/src/{a} b/ü.ts', format: 'meta' },
    `GET ${R}/src/main/src/%7Ba%7D%20b/%C3%BC.ts?format=meta`,
  ],
  [
    'commit_files',
    { ...r, files: { 'a b.md': 'x&y', message: 'z' }, message: 'm', branch: 'feat/a', parents: 'abc' },
    `POST ${R}/src message=m&branch=feat%2Fa&parents=abc&a+b.md=x%26y&%2Fmessage=z`,
  ],
  [
    'search_code',
    { workspace: 'acme', query: 'f lang:go' },
    'GET /workspaces/acme/search/code?search_query=f lang:go&pagelen=10&page=1',
  ],
  ['list_pull_requests', r, `GET ${R}/pullrequests?state=OPEN&pagelen=10&page=1`],
  [
    'list_pull_requests',
    { ...r, state: 'MERGED', query: 'title ~ "x"', sort: '-id' },
    `GET ${R}/pullrequests?state=MERGED&q=title ~ "x"&sort=-id&pagelen=10&page=1`,
  ],
  ['get_pull_request', pr, `GET ${PR}`],
  [
    'merge_pull_request',
    { ...pr, message: 'm', mergeStrategy: 'squash', closeSourceBranch: true },
    `POST ${PR}/merge {"message":"m","merge_strategy":"squash","close_source_branch":true}`,
  ],
  ['decline_pull_request', pr, `POST ${PR}/decline {}`],
  ['approve_pull_request', pr, `POST ${PR}/approve {}`],
  ['unapprove_pull_request', pr, `DELETE ${PR}/approve`],
  ['request_changes', pr, `POST ${PR}/request-changes {}`],
  ['get_pull_request_diff', pr, `GET ${PR}/diff`],
  ['get_pull_request_diffstat', pr, `GET ${PR}/diffstat`],
  ['list_pull_request_comments', pr, `GET ${PR}/comments?pagelen=50&page=1`],
  ['add_pull_request_comment', { ...pr, text: 'b' }, `POST ${PR}/comments {"content":{"raw":"b"}}`],
  [
    'add_pull_request_comment',
    { ...pr, text: 'b', parentId: 4, inlinePath: 'src/a.ts', inlineTo: 3 },
    `POST ${PR}/comments {"content":{"raw":"b"},"parent":{"id":4},"inline":{"path":"src/a.ts","to":3}}`,
  ],
  ['resolve_comment', { ...pr, commentId: 4 }, `POST ${PR}/comments/4/resolve {}`],
  ['list_pull_request_commits', pr, `GET ${PR}/commits`],
  ['list_pull_request_activity', pr, `GET ${PR}/activity`],
  [
    'list_pull_request_statuses',
    { ...pr, query: 'state="FAILED"', sort: 'name' },
    `GET ${PR}/statuses?q=state="FAILED"&sort=name`,
  ],
  ['list_default_reviewers', r, `GET ${R}/effective-default-reviewers`],
  ['list_workspace_members', { workspace: 'acme' }, 'GET /workspaces/acme/members?pagelen=50&page=1'],
  [
    'trigger_pipeline',
    { ...r, branch: 'feat/a' },
    `POST ${R}/pipelines/ {"target":{"ref_type":"branch","type":"pipeline_ref_target","ref_name":"feat/a"}}`,
  ],
  [
    'trigger_pipeline',
    {
      ...r,
      branch: 'main',
      pattern: 'deploy*',
      commit: 'abc',
      variables: { TOKEN: 's', ENV: 'test' },
      secured: ['TOKEN'],
    },
    `POST ${R}/pipelines/ {"target":{"ref_type":"branch","type":"pipeline_ref_target","ref_name":"main","selector":{"type":"custom","pattern":"deploy*"},"commit":{"type":"commit","hash":"abc"}},"variables":[{"key":"TOKEN","value":"s","secured":true},{"key":"ENV","value":"test","secured":false}]}`,
  ],
  [
    'list_pipelines',
    { ...r, status: 'FAILED', branch: 'feat/a' },
    `GET ${R}/pipelines?sort=-created_on&status=FAILED&target.branch=feat/a&pagelen=10&page=1`,
  ],
  ['get_pipeline', pipeline, `GET ${R}/pipelines/${ENCODED}`],
  ['get_pipeline', { ...r, pipelineUuid: UUID }, `GET ${R}/pipelines/${ENCODED}`],
  ['get_pipeline', { ...r, pipelineUuid: '42' }, `GET ${R}/pipelines/42`],
  ['stop_pipeline', pipeline, `POST ${R}/pipelines/${ENCODED}/stopPipeline {}`],
  ['list_pipeline_steps', pipeline, `GET ${R}/pipelines/${ENCODED}/steps`],
  [
    'get_pipeline_step_log',
    { ...pipeline, stepUuid: UUID, tailLines: 5 },
    `GET ${R}/pipelines/${ENCODED}/steps/${ENCODED}/log`,
  ],
  ['list_issues', { ...r, query: 'state="new"' }, `GET ${R}/issues?q=state="new"&pagelen=10&page=1`],
  [
    'create_issue',
    { ...r, title: 't', content: { raw: 'c' }, kind: 'bug', priority: 'minor', assignee: { uuid: '{a}' } },
    `POST ${R}/issues {"title":"t","content":{"raw":"c"},"kind":"bug","priority":"minor","assignee":{"uuid":"{a}"}}`,
  ],
];

const LOOKUP = `GET ${R}/pullrequests?q=state="OPEN" AND source.branch.name="feat/a"&pagelen=50`;
const opening = { ...r, title: 'A', sourceBranch: 'feat/a', destinationBranch: 'main' };

/** A pull request takes several requests; each row has the response to the request before it. */
const CHAINS: [tool: string, args: object, answers: unknown[], requests: string[]][] = [
  [
    'create_pull_request',
    { ...opening, reviewers: ['b', '{c}', '{b}'], closeSourceBranch: true, draft: true, description: 'd' },
    [{ values: [] }, { uuid: '{a}' }, {}],
    [
      LOOKUP,
      'GET /user',
      `POST ${R}/pullrequests {"title":"A","description":"d","reviewers":[{"uuid":"{b}"},{"uuid":"{c}"}],"close_source_branch":true,"draft":true,"source":{"branch":{"name":"feat/a"}},"destination":{"branch":{"name":"main"}}}`,
    ],
  ],
  [
    'create_pull_request',
    { ...r, title: 'A', sourceBranch: 'feat/a' },
    [{ values: [] }],
    [LOOKUP, `POST ${R}/pullrequests {"title":"A","source":{"branch":{"name":"feat/a"}}}`],
  ],
  [
    'create_pull_request',
    { ...r, title: 'A', sourceBranch: 'say "hi" \\o/' },
    [{ values: [] }],
    [
      `GET ${R}/pullrequests?q=state="OPEN" AND source.branch.name="say \\"hi\\" \\\\o/"&pagelen=50`,
      `POST ${R}/pullrequests {"title":"A","source":{"branch":{"name":"say \\"hi\\" \\\\o/"}}}`,
    ],
  ],
  [
    'create_pull_request',
    opening,
    [{ values: [{ id: 7 }] }, { title: 'Old', reviewers: [{ uuid: '{b}' }] }],
    [
      LOOKUP,
      `GET ${PR}`,
      `PUT ${PR} {"title":"A","destination":{"branch":{"name":"main"}},"reviewers":[{"uuid":"{b}"}]}`,
    ],
  ],
  [
    'update_pull_request',
    { ...pr, destinationBranch: 'next', draft: false },
    [{ title: 'Old', author: { uuid: '{a}' }, reviewers: [{ uuid: '{b}' }] }],
    [
      `GET ${PR}`,
      `PUT ${PR} {"draft":false,"destination":{"branch":{"name":"next"}},"title":"Old","reviewers":[{"uuid":"{b}"}]}`,
    ],
  ],
];

describe('a Bitbucket tool', () => {
  it.each(TABLE)('%s sends one request', async (tool, args, request) => {
    expect(await sent(bitbucket, `bitbucket_${tool}`, args)).toEqual([request]);
  });

  it.each(CHAINS)('%s sends its requests in order', async (tool, args, answers, requests) => {
    expect(await sent(bitbucket, `bitbucket_${tool}`, args, answers)).toEqual(requests);
  });

  it('has a row for each of the 41 tools', () => {
    const shown = new Set([...TABLE, ...CHAINS].map(([tool]) => `bitbucket_${tool}`));
    expect([...shown].toSorted()).toEqual(bitbucket.tools.map(({ name }) => name).toSorted());
    expect(shown.size).toBe(41);
  });

  it.each(['..', 'src/../../x', './a'])('refuses the path "%s"', async (path) => {
    const args = { ...r, commit: 'main', path };
    await expect(sent(bitbucket, 'bitbucket_get_file', args)).rejects.toThrow(/cannot be part of/);
  });

  it('requires the file for a comment on a line', async () => {
    const args = { ...pr, text: 'b', inlineTo: 3 };
    await expect(sent(bitbucket, 'bitbucket_add_pull_request_comment', args)).rejects.toThrow(/inlinePath/);
  });
});
