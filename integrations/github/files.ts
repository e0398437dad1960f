// Files of a repository, as text: GitHub has them in base64.
import { textOfBase64, toBase64 } from '../../src/binary.ts';
import { type Tool, tool } from '../../src/integration.ts';
import { at, repository, row, send, some, text } from './api.ts';
import { pushFiles } from './push-files.ts';

const file = { ...repository, path: text.describe('From the root of the repository, such as docs/guide.md') };
const branch = some.describe('The default branch unless given');
const contents = `${at}/contents/{path+}` as const;

export const files: readonly Tool[] = [
  row(
    'github_get_file_contents',
    `GET ${contents}`,
    'Get a file, as text where it is text, or list a directory',
    () => ({ ...file, ref: some.describe('Branch, tag or commit; the default branch unless given') }),
    { result: readable },
  ),
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

/** A file that is not UTF-8 stays as it came, in base64; `encoding` tells. */
function readable(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null || !('content' in payload) || !('encoding' in payload))
    return payload;
  if (payload.encoding !== 'base64' || typeof payload.content !== 'string') return payload;
  const content = textOfBase64(payload.content);
  return content === null ? payload : { ...payload, content, encoding: 'utf-8' };
}
