// Git: repositories over HTTPS at any host, for `git` itself through /c/git.
import * as z from 'zod';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { logo } from './logo.ts';
import { parseRefs } from './refs.ts';
import { words } from './words.ts';

export const git = defineIntegration({
  name: 'git',
  version: '1.0.0',
  displayName: 'Git',
  description: 'Clone, fetch and push over HTTPS at any host',
  categories: ['code'],
  logo,
  auth: {
    type: 'apikey',
    fields: [
      {
        key: 'username',
        label: 'User name',
        secret: true,
        required: true,
        placeholder: 'x-access-token',
        help: 'GitHub and GitLab take any name beside a token; Bitbucket wants x-token-auth',
      },
      { key: 'token', label: 'Token or password', secret: true, required: true },
    ],
  },
  instance: { required: true, example: 'https://github.com', path: true },
  api: { base: { instancePath: '' }, credential: { in: 'basic', user: '{username}', password: '{token}' } },
  words,
  tools: [
    tool(
      'git_list_refs',
      'List the branches and tags of a repository, with their commits',
      () => ({ repository: z.string().describe('Path of the repository at the host, such as acme/app.git') }),
      async ({ repository }, { upstream }) => {
        const path = `/${repository.split('/').map(encodeURIComponent).join('/')}/info/refs`;
        const query = new URLSearchParams({ service: 'git-upload-pack' });
        const response = await upstream({ method: 'GET', path, query });
        if (!response.ok) throw new Error(`The host answered ${response.status} for ${repository}`);
        return parseRefs(new Uint8Array(await response.arrayBuffer()));
      },
    ),
  ],
});
