// Creates a branch: a reference to a commit, which is looked up first.
import * as z from 'zod';
import { tool, type Upstream } from '../../src/kit/integration.ts';
import { at, COMMITTISH, repository, send, some, text } from './api.ts';
import { commitAt } from './commit-at.ts';

export const createBranch = tool(
  'github_create_branch',
  'Create a branch. It starts at the default branch unless fromRef or sha says otherwise',
  () => ({
    ...repository,
    branch: text.describe('Name of the new branch, such as feature-1'),
    fromRef: some.describe(`${COMMITTISH}, to start from`),
    ref: some.describe(
      'Full reference to create, such as refs/tags/v1; refs/heads/ and the branch unless given',
    ),
    sha: some.describe('Full SHA of the commit to start from, instead of fromRef'),
  }),
  async ({ branch, fromRef, ref = `refs/heads/${branch}`, sha, ...where }, { upstream }) => {
    const start = sha ?? (await tip(upstream, where, fromRef));
    return send(upstream, `POST ${at}/git/refs`, { ...where, ref, sha: start });
  },
  'write',
);

const Repository = z.lazy(() => z.object({ default_branch: z.string() }));

async function tip(
  upstream: Upstream,
  where: { owner: string; repo: string },
  fromRef?: string,
): Promise<string> {
  const ref = fromRef ?? Repository.parse(await send(upstream, `GET ${at}`, where)).default_branch;
  return (await commitAt(upstream, { ...where, ref })).sha;
}
