// Pushes many files in one commit: creates a tree and a commit, and moves the branch there.
import * as z from 'zod';
import { textOf, toBase64 } from '../../src/kit/binary.ts';
import { givenContent, readGiven, type ToolFiles } from '../../src/kit/files.ts';
import { tool, type Upstream } from '../../src/kit/integration.ts';
import { at, COMMIT_MESSAGE, repository, send, some, text } from './api.ts';
import { commitAt } from './commit-at.ts';

const Made = z.object({ sha: z.string() });
const Tree = z.lazy(() => z.object({ tree: z.array(z.object({ path: z.string(), mode: z.string() })) }));
// The mode of an executable file. docs: Git trees
const PROGRAM = '100755';

export const pushFiles = tool(
  'github_push_files',
  'Create or replace several files of a branch in one commit',
  () => ({
    ...repository,
    branch: text.describe('Branch to commit to, such as main; it has to exist'),
    files: z
      .array(
        z.strictObject({
          path: text.describe('Path from the root of the repository, such as docs/guide.md'),
          content: some.describe('The whole new text of the file'),
          file: givenContent.file,
        }),
      )
      .describe('Files to create or replace; all others stay'),
    message: text.describe(COMMIT_MESSAGE),
    tree: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe(
        'More tree entries as the API has them, such as {path, mode, type, sha: null} to delete a file',
      ),
    baseTree: some.describe("SHA of the tree to start from; the branch's own unless given"),
  }),
  async ({ branch, files, message, tree = [], baseTree, ...where }, { upstream, files: kept }) => {
    const parent = await commitAt(upstream, { ...where, ref: `heads/${branch}` });
    const base = baseTree ?? parent.tree;
    const isScript = files.some(({ content }) => content?.startsWith('#!'));
    const programs = isScript ? await programsIn(upstream, where, base) : null;
    const blobs: object[] = [];
    for (const { path, ...given } of files)
      blobs.push({
        path,
        ...(await encodeContent(upstream, where, given, kept)),
        mode: programs?.has(path) === true ? PROGRAM : '100644',
        type: 'blob',
      });
    const made = await send(upstream, `POST ${at}/git/trees`, {
      ...where,
      tree: [...blobs, ...tree],
      baseTree: base,
    });
    const commit = await send(upstream, `POST ${at}/git/commits`, {
      ...where,
      message,
      tree: Made.parse(made).sha,
      parents: [parent.sha],
    });
    // Without force, so that a branch that has moved in the meantime keeps its new commits.
    const moved = { ...where, branch, sha: Made.parse(commit).sha };
    await send(upstream, `PATCH ${at}/git/refs/heads/{branch+}`, moved);
    return commit;
  },
  'write',
);

/** A tree takes text only, so the bytes of a kept file become a blob first. */
async function encodeContent(
  upstream: Upstream,
  where: { owner: string; repo: string },
  given: { content?: string | undefined; file?: string | undefined },
  kept: ToolFiles,
): Promise<{ content: string } | { sha: string }> {
  const { bytes } = await readGiven(kept, given);
  const content = given.content ?? textOf(bytes);
  if (content !== null) return { content };
  const blob = { ...where, content: toBase64(bytes), encoding: 'base64' };
  return Made.parse(await send(upstream, `POST ${at}/git/blobs`, blob));
}

/** A tree stores the mode of each file. Without it, a replaced script could no longer be run. */
async function programsIn(
  upstream: Upstream,
  where: { owner: string; repo: string },
  sha: string,
): Promise<Set<string>> {
  const listed = await send(upstream, `GET ${at}/git/trees/{sha}`, { ...where, sha, recursive: 1 });
  const programs = Tree.parse(listed).tree.filter(({ mode }) => mode === PROGRAM);
  return new Set(programs.map(({ path }) => path));
}
