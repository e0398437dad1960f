// Sends a commit of files as a form: one field per file, beside the fields of the commit.
import * as z from 'zod';
import { tool, type Upstream } from '../../src/kit/integration.ts';
import { REPOSITORY, repository, send, some, text } from './fields.ts';

const OF_THE_COMMIT = new Set(['message', 'author', 'parents', 'branch', 'files']);

export const commitFiles = tool(
  'bitbucket_commit_files',
  'Push one commit that creates or replaces text files on a branch',
  () => ({
    ...repository,
    files: z.record(text, text).describe('Contents by path, such as {"docs/a.md": "# A"}'),
    message: some.describe('Commit message; Bitbucket writes one if left out'),
    branch: some.describe('Branch to commit to, created if it is new; the main branch if left out'),
    author: some.describe('Author as Ana Lima <ana@example.com>; you if left out'),
    parents: some.describe('Commit hash that the branch must be at, so that nothing newer is overwritten'),
  }),
  async ({ workspace, repoSlug, files, ...commit }, { upstream }) => {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(commit)) if (value !== undefined) form.append(name, value);
    // A leading slash distinguishes a file from a field of the commit with the same name.
    for (const [path, content] of Object.entries(files))
      form.append(OF_THE_COMMIT.has(path) ? `/${path}` : path, content);
    return send(asForm(upstream, form), `POST ${REPOSITORY}/src`, { workspace, repoSlug });
  },
  'write',
);

function asForm(upstream: Upstream, form: URLSearchParams): Upstream {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return async (call) => upstream({ ...call, headers, body: form.toString() });
}
