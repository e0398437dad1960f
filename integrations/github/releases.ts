// Tags, releases, and code search.
import type { Tool } from '../../src/kit/integration.ts';
import { at, flag, paging, repository, row, search, some, text } from './api.ts';

export const releases: readonly Tool[] = [
  row('github_list_tags', `GET ${at}/tags`, 'List tags of a repository, in pages', () => ({
    ...repository,
    ...paging(30),
  })),
  row('github_list_releases', `GET ${at}/releases`, 'List releases of a repository, in pages', () => ({
    ...repository,
    ...paging(10),
  })),
  row(
    'github_get_latest_release',
    `GET ${at}/releases/latest`,
    'Get the latest release that is neither draft nor prerelease',
    () => repository,
  ),
  row('github_create_release', `POST ${at}/releases`, 'Create a release, and its tag if needed', () => ({
    ...repository,
    tagName: text,
    targetCommitish: some.describe('Branch or commit the tag is made at; the default branch unless given'),
    name: some,
    body: some,
    draft: flag,
    prerelease: flag,
    generateReleaseNotes: flag,
  })),
  row(
    'github_search_code',
    'GET /search/code',
    'Search code on all of GitHub, in pages',
    () => search('Words and qualifiers, such as "createServer repo:nodejs/node language:js"'),
    { names: { query: 'q' } },
  ),
];
