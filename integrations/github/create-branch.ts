// Creates a branch: a reference to a commit, which is looked up first.
import * as z from 'zod';
import { tool, type Upstream } from '../../src/kit/integration.ts';
import { at, repository, send, some, text } from './api.ts';
import { commitAt } from './commit-at.ts';

export const createBranch = tool(
  'github_create_branch',
  'Create a branch, from the default branch unless told otherwise',
  () => ({
    ...repository,
    branch: text,
    fromRef: some.describe('Branch, tag or commit to start from'),
    ref: some.describe('Full name of the reference, when it is not refs/heads/ and the branch'),
    sha: some.describe('Full SHA of the commit to start from, instead of fromRef'),
  }),
  async ({ branch, fromRef, ref = `refs/heads/${branch}`, sha, ...where }, { upstream }) => {
    const start = sha ?? (await tip(upstream, where, fromRef));
    return send(upstream, `POST ${at}/git/refs`, { ...where, ref, sha: start });
  },
  'write',
);

const Repository = z.object({ default_branch: z.string() });

async function tip(
  upstream: Upstream,
  where: { owner: string; repo: string },
  fromRef?: string,
): Promise<string> {
  const ref = fromRef ?? Repository.parse(await send(upstream, `GET ${at}`, where)).default_branch;
  return (await commitAt(upstream, { ...where, ref })).sha;
}
