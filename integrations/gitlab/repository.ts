// Branches, commits and files of a repository.
import * as z from 'zod';
import { flag, paging, project, row, some, text } from './fields.ts';
import { decodedFile } from './file-content.ts';

const COMMITS = '/projects/{projectId}/repository/commits';
const BRANCHES = '/projects/{projectId}/repository/branches';
const FILE = '/projects/{projectId}/repository/files/{filePath}';

const write = { ...project, filePath: text, branch: text, commitMessage: text, content: text };
const encoding = some.describe('text, or base64 when content is');

export const repository = [
  row('gitlab_list_branches', `GET ${BRANCHES}`, 'List the branches of a project by page', () => ({
    ...project,
    search: some,
    ...paging(20),
  })),
  row('gitlab_create_branch', `POST ${BRANCHES}`, 'Create a branch from a branch, tag or commit', () => ({
    ...project,
    branch: text,
    ref: text,
  })),
  row('gitlab_delete_branch', `DELETE ${BRANCHES}/{branch}`, 'Delete a branch', () => ({
    ...project,
    branch: text,
  })),
  row(
    'gitlab_list_commits',
    `GET ${COMMITS}`,
    'List commits of a ref by page, by path, time or author',
    () => ({
      ...project,
      refName: some,
      path: some,
      since: some.describe('ISO 8601'),
      until: some.describe('ISO 8601'),
      author: some,
      ...paging(20),
    }),
  ),
  row('gitlab_get_commit', `GET ${COMMITS}/{sha}`, 'Get one commit', () => ({
    ...project,
    sha: text,
    stats: flag,
  })),
  row('gitlab_get_commit_diff', `GET ${COMMITS}/{sha}/diff`, 'Get the diffs of a commit by page', () => ({
    ...project,
    sha: text,
    ...paging(20),
  })),
  row(
    'gitlab_compare_refs',
    'GET /projects/{projectId}/repository/compare',
    'Compare two branches, tags or commits: commits and diffs between them',
    () => ({ ...project, from: text, to: text, straight: flag }),
  ),
  row(
    'gitlab_create_commit',
    `POST ${COMMITS}`,
    'Push one commit with changes to any number of files',
    () => ({
      ...project,
      branch: text,
      commitMessage: text,
      actions: z
        .array(z.record(text, z.unknown()))
        .describe(
          'Each {action: create, update, delete or move, file_path, content, previous_path, encoding}',
        ),
      startBranch: some.describe('Where branch starts when it is new'),
    }),
  ),
  row(
    'gitlab_list_repository_tree',
    'GET /projects/{projectId}/repository/tree',
    'List files and folders of a repository by page',
    () => ({ ...project, path: some, ref: some, recursive: flag, ...paging(50) }),
  ),
  row(
    'gitlab_get_file',
    `GET ${FILE}`,
    'Get a file at a ref, with its content as text unless it is binary',
    () => ({ ...project, filePath: text, ref: text }),
    { result: decodedFile },
  ),
  row('gitlab_create_file', `POST ${FILE}`, 'Create a file with a commit on a branch', () => ({
    ...write,
    encoding,
    startBranch: some.describe('Where branch starts when it is new'),
  })),
  row('gitlab_update_file', `PUT ${FILE}`, 'Change a file with a commit on a branch', () => ({
    ...write,
    lastCommitId: some.describe('Refused when the file has changed since'),
    encoding,
  })),
];
