// Creates a repository for the person or for an organization; each has its own address.
import { tool } from '../../src/kit/integration.ts';
import { flag, send, some, text } from './api.ts';

export const createRepository = tool(
  'github_create_repository',
  'Create a repository, for you or for an organization',
  () => ({
    name: text,
    description: some,
    private: flag,
    autoInit: flag.describe('Start with a README'),
    org: some,
  }),
  (args, { upstream }) =>
    send(upstream, args.org === undefined ? 'POST /user/repos' : 'POST /orgs/{org}/repos', args),
  'write',
);
