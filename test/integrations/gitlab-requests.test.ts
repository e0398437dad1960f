// Lists what each GitLab tool sends, one line per tool.
import { describe, expect, it } from 'vitest';
import { gitlab } from '../../integrations/gitlab/manifest.ts';
import { sent } from '../support/capture.ts';

const P = '/projects/acme%2Fweb%20app';
const p = { projectId: 'acme/web app' };
const MR = `${P}/merge_requests/7`;
const mr = { ...p, mergeRequestIid: 7 };

const TABLE: [tool: string, args: object, request: string][] = [
  ['whoami', {}, 'GET /user'],
  ['list_projects', {}, 'GET /projects?membership=true&simple=true&per_page=20&page=1'],
  [
    'list_projects',
    {
      search: 'a&b',
      membership: false,
      owned: true,
      visibility: 'private',
      orderBy: 'name',
      sort: 'asc',
      page: 2,
    },
    'GET /projects?search=a&b&membership=false&owned=true&visibility=private&order_by=name&sort=asc&simple=true&per_page=20&page=2',
  ],
  ['get_project', { projectId: '42', statistics: true }, 'GET /projects/42?statistics=true'],
  [
    'list_group_projects',
    { groupId: 'acme/tools', includeSubgroups: true },
    'GET /groups/acme%2Ftools/projects?include_subgroups=true&per_page=20&page=1',
  ],
  [
    'create_project',
    { name: 'Web', namespaceId: 3, initializeWithReadme: true, visibility: 'private' },
    'POST /projects {"name":"Web","namespace_id":3,"visibility":"private","initialize_with_readme":true}',
  ],
  ['fork_project', { ...p, namespacePath: 'ana' }, `POST ${P}/fork {"namespace_path":"ana"}`],
  [
    'list_branches',
    { ...p, search: '^feat' },
    `GET ${P}/repository/branches?search=^feat&per_page=20&page=1`,
  ],
  [
    'create_branch',
    { ...p, branch: 'feat/a', ref: 'main' },
    `POST ${P}/repository/branches {"branch":"feat/a","ref":"main"}`,
  ],
  ['delete_branch', { ...p, branch: 'feat/ü#1' }, `DELETE ${P}/repository/branches/feat%2F%C3%BC%231`],
  [
    'list_commits',
    { ...p, refName: 'feat/a', path: 'src', since: '2026-01-01T00:00:00Z', author: 'Ana' },
    `GET ${P}/repository/commits?ref_name=feat/a&path=src&since=2026-01-01T00:00:00Z&author=Ana&per_page=20&page=1`,
  ],
  ['get_commit', { ...p, sha: 'abc', stats: false }, `GET ${P}/repository/commits/abc?stats=false`],
  ['get_commit_diff', { ...p, sha: 'abc' }, `GET ${P}/repository/commits/abc/diff?per_page=20&page=1`],
  [
    'compare_refs',
    { ...p, from: 'main', to: 'feat/a', straight: true },
    `GET ${P}/repository/compare?from=main&to=feat/a&straight=true`,
  ],
  [
    'create_commit',
    {
      ...p,
      branch: 'feat/a',
      commitMessage: 'Two',
      actions: [{ action: 'delete', file_path: 'a' }],
      startBranch: 'main',
    },
    `POST ${P}/repository/commits {"branch":"feat/a","commit_message":"Two","actions":[{"action":"delete","file_path":"a"}],"start_branch":"main"}`,
  ],
  [
    'list_repository_tree',
    { ...p, path: 'src', recursive: true },
    `GET ${P}/repository/tree?path=src&recursive=true&per_page=50&page=1`,
  ],
  [
    'get_file',
    { ...p, filePath: 'src/{a}.ts', ref: 'main' },
    `GET ${P}/repository/files/src%2F%7Ba%7D.ts?ref=main`,
  ],
  [
    'create_file',
    { ...p, filePath: 'a.md', branch: 'b', commitMessage: 'm', content: '', startBranch: 'main' },
    `POST ${P}/repository/files/a.md {"branch":"b","commit_message":"m","content":"","start_branch":"main"}`,
  ],
  [
    'update_file',
    {
      ...p,
      filePath: 'a.md',
      branch: 'b',
      commitMessage: 'm',
      content: 'QQ==',
      lastCommitId: 'abc',
      encoding: 'base64',
    },
    `PUT ${P}/repository/files/a.md {"branch":"b","commit_message":"m","content":"QQ==","last_commit_id":"abc","encoding":"base64"}`,
  ],
  ['list_merge_requests', p, `GET ${P}/merge_requests?state=opened&per_page=10&page=1`],
  [
    'list_merge_requests',
    {
      ...p,
      state: 'all',
      sourceBranch: 'feat/a',
      authorUsername: 'ana',
      reviewerUsername: 'bo',
      labels: 'a,b',
    },
    `GET ${P}/merge_requests?state=all&source_branch=feat/a&author_username=ana&reviewer_username=bo&labels=a,b&per_page=10&page=1`,
  ],
  ['list_my_merge_requests', {}, 'GET /merge_requests?scope=assigned_to_me&state=opened&per_page=10&page=1'],
  ['get_merge_request', mr, `GET ${MR}`],
  [
    'create_merge_request',
    {
      ...p,
      sourceBranch: 'feat/a',
      targetBranch: 'main',
      title: 'A',
      assigneeIds: [1],
      reviewerIds: [2, 3],
      removeSourceBranch: true,
      squash: false,
    },
    `POST ${P}/merge_requests {"source_branch":"feat/a","target_branch":"main","title":"A","assignee_ids":[1],"reviewer_ids":[2,3],"remove_source_branch":true,"squash":false}`,
  ],
  [
    'update_merge_request',
    { ...mr, stateEvent: 'close', targetBranch: 'main', labels: '', reviewerIds: [] },
    `PUT ${MR} {"target_branch":"main","state_event":"close","labels":"","reviewer_ids":[]}`,
  ],
  [
    'merge_merge_request',
    {
      ...mr,
      squash: true,
      shouldRemoveSourceBranch: true,
      mergeCommitMessage: 'm',
      sha: 'abc',
      autoMerge: true,
    },
    `PUT ${MR}/merge {"squash":true,"should_remove_source_branch":true,"merge_commit_message":"m","sha":"abc","auto_merge":true,"merge_when_pipeline_succeeds":true}`,
  ],
  ['approve_merge_request', { ...mr, sha: 'abc' }, `POST ${MR}/approve {"sha":"abc"}`],
  ['list_merge_request_diffs', mr, `GET ${MR}/diffs?per_page=20&page=1`],
  ['list_merge_request_discussions', mr, `GET ${MR}/discussions?per_page=20&page=1`],
  [
    'create_merge_request_discussion',
    { ...mr, body: 'b', position: { new_line: 3 } },
    `POST ${MR}/discussions {"body":"b","position":{"new_line":3}}`,
  ],
  ['add_merge_request_note', { ...mr, body: 'b' }, `POST ${MR}/notes {"body":"b"}`],
  [
    'list_issues',
    { ...p, labels: 'a,b', assigneeUsername: 'ana' },
    `GET ${P}/issues?state=opened&labels=a,b&assignee_username=ana&per_page=10&page=1`,
  ],
  ['get_issue', { ...p, issueIid: 7 }, `GET ${P}/issues/7`],
  [
    'create_issue',
    { ...p, title: 't', assigneeIds: [1], milestoneId: 2, dueDate: '2026-03-01' },
    `POST ${P}/issues {"title":"t","assignee_ids":[1],"milestone_id":2,"due_date":"2026-03-01"}`,
  ],
  [
    'update_issue',
    { ...p, issueIid: 7, stateEvent: 'reopen', description: 'd' },
    `PUT ${P}/issues/7 {"description":"d","state_event":"reopen"}`,
  ],
  ['add_issue_note', { ...p, issueIid: 7, body: 'b' }, `POST ${P}/issues/7/notes {"body":"b"}`],
  [
    'trigger_pipeline',
    { ...p, ref: 'feat/a', variables: { DEPLOY: 'yes', 'A B': '' }, inputs: { replicas: 3 } },
    `POST ${P}/pipeline {"ref":"feat/a","inputs":{"replicas":3},"variables":[{"key":"DEPLOY","value":"yes"},{"key":"A B","value":""}]}`,
  ],
  ['trigger_pipeline', { ...p, ref: 'main' }, `POST ${P}/pipeline {"ref":"main"}`],
  [
    'list_pipelines',
    {
      ...p,
      ref: 'main',
      status: 'success',
      source: 'api',
      sha: 'abc',
      username: 'ana',
      orderBy: 'id',
      sort: 'asc',
    },
    `GET ${P}/pipelines?ref=main&status=success&source=api&sha=abc&username=ana&order_by=id&sort=asc&per_page=10&page=1`,
  ],
  ['get_pipeline', { ...p, pipelineId: 9 }, `GET ${P}/pipelines/9`],
  ['retry_pipeline', { ...p, pipelineId: 9 }, `POST ${P}/pipelines/9/retry {}`],
  ['cancel_pipeline', { ...p, pipelineId: 9 }, `POST ${P}/pipelines/9/cancel {}`],
  [
    'list_pipeline_jobs',
    { ...p, pipelineId: 9, scope: ['failed', 'manual'], includeRetried: true },
    `GET ${P}/pipelines/9/jobs?scope[]=failed&scope[]=manual&include_retried=true&per_page=50&page=1`,
  ],
  ['get_job_log', { ...p, jobId: 9, tailLines: 5 }, `GET ${P}/jobs/9/trace`],
  ['play_job', { ...p, jobId: 9 }, `POST ${P}/jobs/9/play {}`],
  ['retry_job', { ...p, jobId: 9 }, `POST ${P}/jobs/9/retry {}`],
  [
    'search',
    { scope: 'projects', search: 'web' },
    'GET /search?scope=projects&search=web&per_page=10&page=1',
  ],
  [
    'search',
    { ...p, scope: 'blobs', search: 'f(x)' },
    `GET ${P}/search?scope=blobs&search=f(x)&per_page=10&page=1`,
  ],
  ['list_releases', p, `GET ${P}/releases?per_page=10&page=1`],
  ['list_todos', { state: 'done', type: 'Issue' }, 'GET /todos?state=done&type=Issue&per_page=20&page=1'],
  [
    'lint_ci',
    { ...p, content: 'a: 1', ref: 'main', dryRun: true },
    `POST ${P}/ci/lint {"content":"a: 1","ref":"main","dry_run":true}`,
  ],
];

describe('a GitLab tool', () => {
  it.each(TABLE)('%s sends one request', async (tool, args, request) => {
    expect(await sent(gitlab, `gitlab_${tool}`, args)).toEqual([request]);
  });

  it('has a row for each of the 47 tools', () => {
    const shown = new Set(TABLE.map(([tool]) => `gitlab_${tool}`));
    expect([...shown].toSorted()).toEqual(gitlab.tools.map(({ name }) => name).toSorted());
    expect(shown.size).toBe(47);
  });

  it.each(['', '.', '..'])('refuses "%s" where the path needs a name', async (branch) => {
    await expect(sent(gitlab, 'gitlab_delete_branch', { ...p, branch })).rejects.toThrow(/cannot be part of/);
  });

  it.each([
    ['gitlab_get_project', { projectId: 'group%2fsub%2Fapp' }, 'GET /projects/group%2Fsub%2Fapp'],
    [
      'gitlab_search',
      { projectId: 'group%2Fapp', scope: 'blobs', search: 'a%2Fb' },
      'GET /projects/group%2Fapp/search?scope=blobs&search=a%2Fb&per_page=10&page=1',
    ],
    [
      'gitlab_list_group_projects',
      { groupId: 'group%2Fsub' },
      'GET /groups/group%2Fsub/projects?per_page=20&page=1',
    ],
  ])("accepts an encoded path for %s, as GitLab's documentation writes it", async (tool, args, request) => {
    expect(await sent(gitlab, tool, args)).toEqual([request]);
  });

  it('keeps a path that tries to leave the project inside one segment', async () => {
    expect(await sent(gitlab, 'gitlab_get_project', { projectId: '../../admin?x=1#y' })).toEqual([
      'GET /projects/..%2F..%2Fadmin%3Fx%3D1%23y',
    ]);
  });
});
