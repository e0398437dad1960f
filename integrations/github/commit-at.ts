// Finds the commit that a branch or tag points at, with its tree.
import * as z from 'zod';
import type { Upstream } from '../../src/kit/integration.ts';
import { at, send } from './api.ts';

const Commit = z.lazy(() =>
  z.object({ sha: z.string(), commit: z.object({ tree: z.object({ sha: z.string() }) }) }),
);

export async function commitAt(
  upstream: Upstream,
  where: { owner: string; repo: string; ref: string },
): Promise<{ sha: string; tree: string }> {
  // Asks for one changed file per page, because the files are not used here.
  const found = await send(upstream, `GET ${at}/commits/{ref}`, { ...where, perPage: 1 });
  const { sha, commit } = Commit.parse(found);
  return { sha, tree: commit.tree.sha };
}
