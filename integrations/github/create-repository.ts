// Creates a repository for the person or for an organization; each has its own address.
import { tool } from '../../src/kit/integration.ts';
import { flag, send, some, text } from './api.ts';

export const createRepository = tool(
  'github_create_repository',
  'Create a repository in your account or in an organization',
  () => ({
    name: text.describe('Name without the owner, such as hello-world'),
    description: some.describe('One line about the repository'),
    private: flag.describe('True for a private repository; public unless given'),
    autoInit: flag.describe('True to start with a README'),
    org: some.describe('Login of the organization that gets it; your account unless given'),
  }),
  (args, { upstream }) =>
    send(upstream, args.org === undefined ? 'POST /user/repos' : 'POST /orgs/{org}/repos', args),
  'write',
);
