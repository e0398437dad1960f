// Files of a repository as text. GitHub sends them in base64.
import { toBase64 } from '../../src/kit/binary.ts';
import { givenContent, readGiven } from '../../src/kit/files.ts';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { at, COMMIT_MESSAGE, repository, row, send, some, text } from './api.ts';
import { contents, file, getFileContents } from './get-file-contents.ts';
import { pushFiles } from './push-files.ts';

const branch = some.describe('Branch to commit to; the default branch unless given');

export const files: readonly Tool[] = [
  getFileContents,
  row(
    'github_get_repository_tree',
    `GET ${at}/git/trees/{treeSha}`,
    'List the files and folders of a commit, at every level when recursive is given',
    () => ({
      ...repository,
      treeSha: text.describe('Tree or commit SHA, branch or tag, such as main'),
      recursive: some.describe('Set to 1 to list every level; leave it out for the top level only'),
    }),
  ),
  tool(
    'github_create_or_update_file',
    'Create or replace one file in a commit of its own; github_push_files takes several files',
    () => ({
      ...file,
      message: text.describe(COMMIT_MESSAGE),
      content: some.describe('The text itself'),
      file: givenContent.file,
      branch,
      sha: some.describe('`sha` from github_get_file_contents; required to replace a file'),
    }),
    async ({ file: kept, ...args }, { upstream, files: keptFiles }) => {
      const { bytes } = await readGiven(keptFiles, { content: args.content, file: kept });
      return send(upstream, `PUT ${contents}`, { ...args, content: toBase64(bytes) });
    },
    'write',
  ),
  tool(
    'github_delete_file',
    'Delete a file in a commit of its own',
    () => ({
      ...file,
      message: text.describe(COMMIT_MESSAGE),
      sha: text.describe('`sha` of the file from github_get_file_contents'),
      branch,
    }),
    ({ owner, repo, path, ...commit }, { upstream }) =>
      send(upstream, `DELETE ${contents}`, { owner, repo, path, commit }, { body: 'commit' }),
    'destroy',
  ),
  pushFiles,
];
