// Branches, commits and files of a repository.
import * as z from 'zod';
import { toBase64 } from '../../src/kit/binary.ts';
import { asFile, givenContent, type ToolFiles } from '../../src/kit/files.ts';
import { tool, type Upstream } from '../../src/kit/integration.ts';
import { flag, paging, project, row, send, some, startBranch, text } from './fields.ts';
import { readFile } from './file-content.ts';

const COMMITS = '/projects/{projectId}/repository/commits';
const BRANCHES = '/projects/{projectId}/repository/branches';
const FILE = '/projects/{projectId}/repository/files/{filePath}';

const filePath = text.describe('Path from the root of the repository, e.g. src/index.ts');
const commitSha = text.describe('Commit SHA, or name of a branch or tag');
const commitMessage = text.describe('Commit message, its first line is the subject');
const branch = text.describe('Branch that gets the commit, e.g. main');
const content = some.describe('Whole new content of the file');
const encoding = some.describe('text (default), or base64 if `content` is base64');
const write = { ...project, filePath, branch, commitMessage, content, file: givenContent.file };

interface Written {
  content?: string | undefined;
  file?: string | undefined;
}

/** Sends the bytes of a kept file in base64, which is how GitLab takes them. */
async function sendFile(
  upstream: Upstream,
  files: ToolFiles,
  request: `${'POST' | 'PUT'} ${typeof FILE}`,
  { file, ...args }: Written,
): Promise<unknown> {
  if ((args.content === undefined) === (file === undefined)) throw new Error('Give either content or file');
  if (file === undefined) return send(upstream, request, { ...args });
  const { bytes } = await files.read(file);
  return send(upstream, request, { ...args, content: toBase64(bytes), encoding: 'base64' });
}

export const repository = [
  row(
    'gitlab_list_branches',
    `GET ${BRANCHES}`,
    'List the branches of a project with their newest commits',
    () => ({
      ...project,
      search: some.describe('Text in the name; ^text for its beginning, text$ for its end'),
      ...paging(20),
    }),
  ),
  row('gitlab_create_branch', `POST ${BRANCHES}`, 'Create a branch from a branch, tag or commit', () => ({
    ...project,
    branch: text.describe('Name of the new branch'),
    ref: text.describe('Branch, tag or commit SHA to start from'),
  })),
  row('gitlab_delete_branch', `DELETE ${BRANCHES}/{branch}`, 'Delete a branch', () => ({
    ...project,
    branch: text.describe('`name` from gitlab_list_branches'),
  })),
  row(
    'gitlab_list_commits',
    `GET ${COMMITS}`,
    'List the commits of a branch, tag or range, filtered by path, time or author',
    () => ({
      ...project,
      refName: some.describe('Branch, tag or range such as v1..main; the default branch if left out'),
      path: some.describe('Only commits that change this file or folder'),
      since: some.describe('Only from this time on, ISO 8601, e.g. 2026-03-11T00:00:00Z'),
      until: some.describe('Only up to this time, ISO 8601, e.g. 2026-03-12T00:00:00Z'),
      author: some.describe('Name or email of the author'),
      ...paging(20),
    }),
  ),
  row(
    'gitlab_get_commit',
    `GET ${COMMITS}/{sha}`,
    'Get a commit with its message, author and parents, without its diff',
    () => ({
      ...project,
      sha: commitSha,
      stats: flag.describe('false leaves out the numbers of changed lines'),
    }),
  ),
  row(
    'gitlab_get_commit_diff',
    `GET ${COMMITS}/{sha}/diff`,
    'Get the changed files of a commit with their diffs',
    () => ({
      ...project,
      sha: commitSha,
      ...paging(20),
    }),
  ),
  row(
    'gitlab_compare_refs',
    'GET /projects/{projectId}/repository/compare',
    'Compare two branches, tags or commits: get the commits and diffs between them',
    () => ({
      ...project,
      from: text.describe('Branch, tag or commit SHA to compare with, e.g. main'),
      to: text.describe('Branch, tag or commit SHA with the changes'),
      straight: flag.describe('true compares the two directly, not from their merge base'),
    }),
  ),
  row('gitlab_create_commit', `POST ${COMMITS}`, 'Push one commit that changes any number of files', () => ({
    ...project,
    branch,
    commitMessage,
    actions: z
      .array(z.record(text, z.unknown()))
      .describe(
        'Each {action: create, update, delete or move; file_path; content; previous_path for move; encoding: text or base64}',
      ),
    startBranch,
  })),
  row(
    'gitlab_list_repository_tree',
    'GET /projects/{projectId}/repository/tree',
    'List the files and folders of a repository',
    () => ({
      ...project,
      path: some.describe('Folder to list, e.g. src/api; the root if left out'),
      ref: some.describe('Branch, tag or commit SHA; the default branch if left out'),
      recursive: flag.describe('true lists everything below the folder'),
      ...paging(50),
    }),
  ),
  row(
    'gitlab_get_file',
    `GET ${FILE}`,
    'Get a file of a repository, with its content as text, or as a kept file if it is binary',
    () => ({
      ...project,
      filePath,
      ref: text.describe('Branch, tag or commit SHA; HEAD for the default branch'),
      asFile,
    }),
    { local: ['asFile'], result: readFile },
  ),
  tool(
    'gitlab_create_file',
    'Create one file with a commit on a branch',
    () => ({ ...write, encoding, startBranch }),
    (args, { upstream, files }) => sendFile(upstream, files, `POST ${FILE}`, args),
    'write',
  ),
  tool(
    'gitlab_update_file',
    'Replace the content of one file with a commit on a branch',
    () => ({
      ...write,
      lastCommitId: some.describe(
        '`last_commit_id` from gitlab_get_file; refused if the file has changed since',
      ),
      encoding,
    }),
    (args, { upstream, files }) => sendFile(upstream, files, `PUT ${FILE}`, args),
    'write',
  ),
];
