// Tags, releases, and code search.
import type { Tool } from '../../src/kit/integration.ts';
import { at, flag, MARKDOWN, paging, repository, row, search, some, text } from './api.ts';

export const releases: readonly Tool[] = [
  row('github_list_tags', `GET ${at}/tags`, 'List tags of a repository with their commits, in pages', () => ({
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
    'Get the latest release that is neither a draft nor a prerelease',
    () => repository,
  ),
  row(
    'github_create_release',
    `POST ${at}/releases`,
    'Create a release, and its tag if there is none',
    () => ({
      ...repository,
      tagName: text.describe('Tag of the release, such as v1.2.0'),
      targetCommitish: some.describe('Branch or commit SHA for a new tag; the default branch unless given'),
      name: some.describe('Title of the release'),
      body: some.describe(MARKDOWN),
      draft: flag.describe('True to save it without publishing it'),
      prerelease: flag.describe('True to mark it as not ready for production'),
      generateReleaseNotes: flag.describe(
        'True to let GitHub write the notes; a given body comes before them',
      ),
    }),
  ),
  row(
    'github_search_code',
    'GET /search/code',
    'Search code on all of GitHub, best matches first, in pages',
    () =>
      search(
        'Words and qualifiers, such as "createServer repo:nodejs/node language:js"',
        'indexed, the time GitHub read the file',
      ),
    { names: { query: 'q' } },
  ),
];
