// Files of a repository as text. GitHub sends them in base64.
import { toBase64 } from '../../src/kit/binary.ts';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { at, repository, row, send, some, text } from './api.ts';
import { contents, file, getFileContents } from './get-file-contents.ts';
import { pushFiles } from './push-files.ts';

const branch = some.describe('The default branch unless given');

export const files: readonly Tool[] = [
  getFileContents,
  row(
    'github_get_repository_tree',
    `GET ${at}/git/trees/{treeSha}`,
    'List the tree of a commit, every level of it when recursive',
    () => ({
      ...repository,
      treeSha: text.describe('Tree, commit, branch or tag'),
      recursive: some.describe('1 for every level; leave out for one'),
    }),
  ),
  tool(
    'github_create_or_update_file',
    'Create a file or replace it, as one commit',
    () => ({
      ...file,
      message: text,
      content: text.describe('The text itself'),
      branch,
      sha: some.describe('Blob SHA of the file that is replaced; needed when there is one'),
    }),
    (args, { upstream }) =>
      send(upstream, `PUT ${contents}`, {
        ...args,
        content: toBase64(new TextEncoder().encode(args.content)),
      }),
    'write',
  ),
  tool(
    'github_delete_file',
    'Delete a file, as one commit',
    () => ({ ...file, message: text, sha: text.describe('Blob SHA of the file'), branch }),
    ({ owner, repo, path, ...commit }, { upstream }) =>
      send(upstream, `DELETE ${contents}`, { owner, repo, path, commit }, { body: 'commit' }),
    'destroy',
  ),
  pushFiles,
];
