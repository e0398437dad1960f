// Sends a commit of files as a form: one field per file, beside the fields of the commit.
import * as z from 'zod';
import { tool, type Upstream } from '../../src/kit/integration.ts';
import { REPOSITORY, repository, send, some, text } from './fields.ts';

const OF_THE_COMMIT = new Set(['message', 'author', 'parents', 'branch', 'files']);

export const commitFiles = tool(
  'bitbucket_commit_files',
  'Push one commit that writes text files to a branch',
  () => ({
    ...repository,
    files: z.record(text, text).describe('Contents by path, such as {"docs/a.md": "# A"}'),
    message: some,
    branch: some.describe('Made when it is new; the main branch when left out'),
    author: some.describe('Such as Ana Lima <ana@example.com>'),
    parents: some.describe('The commit the branch has to be at'),
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
