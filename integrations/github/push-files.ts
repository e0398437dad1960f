// Many files in one commit: a tree, a commit on it, and the branch moved there.
import * as z from 'zod';
import { tool } from '../../src/integration.ts';
import { at, repository, send, some, text } from './api.ts';
import { commitAt } from './commit-at.ts';

const Made = z.object({ sha: z.string() });
const entries = z.array(z.record(z.string(), z.unknown())).optional();

export const pushFiles = tool(
  'github_push_files',
  'Create or replace several files of a branch in one commit',
  () => ({
    ...repository,
    branch: text,
    files: z.array(z.strictObject({ path: text, content: text })),
    message: text,
    tree: entries.describe(
      'More tree entries as the API has them, such as {path, mode, type, sha: null} to delete',
    ),
    baseTree: some.describe("SHA of the tree to change, when it is not the branch's own"),
  }),
  async ({ branch, files, message, tree = [], baseTree, ...where }, { upstream }) => {
    const parent = await commitAt(upstream, { ...where, ref: `heads/${branch}` });
    const blobs = files.map((file) => ({ ...file, mode: '100644', type: 'blob' }));
    const made = await send(upstream, `POST ${at}/git/trees`, {
      ...where,
      tree: [...blobs, ...tree],
      baseTree: baseTree ?? parent.tree,
    });
    const commit = await send(upstream, `POST ${at}/git/commits`, {
      ...where,
      message,
      tree: Made.parse(made).sha,
      parents: [parent.sha],
    });
    // Not forced: a branch that has moved meanwhile keeps what came to it.
    const moved = { ...where, branch, sha: Made.parse(commit).sha };
    await send(upstream, `PATCH ${at}/git/refs/heads/{branch+}`, moved);
    return commit;
  },
  'write',
);
