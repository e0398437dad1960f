// Returns a file unchanged, or a page of a folder's entries.
import * as z from 'zod';
import { readBytes, textOf } from '../../src/kit/binary.ts';
import { asFile, nameInPath } from '../../src/kit/files.ts';
import { tool, type Upstream } from '../../src/kit/integration.ts';
import { UpstreamError } from '../../src/kit/payload.ts';
import { REPOSITORY, repository, send, some, text, toCall } from './fields.ts';

const Named = z.lazy(() => z.looseObject({ target: z.looseObject({ hash: text }) }));
const Folder = z.lazy(() =>
  z.looseObject({
    pagelen: z.int(),
    values: z.array(z.looseObject({ type: z.enum(['commit_file', 'commit_directory']) })),
  }),
);

export const getFile = tool(
  'bitbucket_get_file',
  'Get a file of a repository as text, or as a kept file if it is binary, or list the entries of a folder',
  () => ({
    ...repository,
    commit: text.describe('Commit hash, tag or branch, e.g. main'),
    path: text.describe('Path of the file or folder from the root, e.g. src/index.ts'),
    format: some.describe('meta for size and type instead of the content, rendered for HTML'),
    asFile,
  }),
  async ({ commit, asFile: keep, ...args }, { upstream, files }) => {
    const { workspace, repoSlug } = args;
    // The source address does not accept a branch name with a slash, encoded or not, so the branch's commit
    // is used.
    const revision = commit.includes('/')
      ? await commitOf(upstream, { workspace, repoSlug, name: commit })
      : commit;
    const call = toCall(`GET ${REPOSITORY}/src/{revision}/{path+}`, { ...args, revision });
    const bytes = await readBytes(await upstream(call));
    const content = keep === true ? null : textOf(bytes);
    if (content === null)
      return { file: await files.save({ bytes, name: nameInPath(args.path), mimeType: '' }) };
    // A JSON file is returned as text like any other file.
    const json = parseContent(content);
    return args.format === 'meta' || Folder.safeParse(json).success ? json : { content };
  },
);

/** Looks for a branch first, then for a tag. */
async function commitOf(upstream: Upstream, named: Record<string, string>): Promise<string> {
  const find = async (kind: 'branches' | 'tags') =>
    Named.parse(await send(upstream, `GET ${REPOSITORY}/refs/${kind}/{name}`, named)).target.hash;
  try {
    return await find('branches');
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.status !== 404) throw error;
    return find('tags');
  }
}

function parseContent(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}
