// Returns a file as text, or the entries of a directory. GitHub leaves out the content of files over 1 MB, so
// it is fetched separately.
import * as z from 'zod';
import { readBytes, textOf, textOfBase64, toBase64 } from '../../src/kit/binary.ts';
import { tool } from '../../src/kit/integration.ts';
import { at, COMMITTISH, repository, send, some, text, toCall } from './api.ts';

export const file = {
  ...repository,
  path: text.describe('Path from the root of the repository, such as docs/guide.md'),
};
export const contents = `${at}/contents/{path+}` as const;

const File = z.looseObject({ content: text, encoding: z.enum(['base64', 'none']), size: z.int().optional() });
// The maximum size of one response.
const MAX_BYTES = 16 * 1024 * 1024;

export const getFileContents = tool(
  'github_get_file_contents',
  'Get a file, as text where it is text, or list a directory',
  () => ({ ...file, ref: some.describe(`${COMMITTISH}; the default branch unless given`) }),
  async (args, { upstream }) => {
    const payload = await send(upstream, `GET ${contents}`, args);
    const found = File.safeParse(payload).data;
    if (found === undefined || (found.size ?? 0) > MAX_BYTES) return payload;
    if (found.encoding === 'base64') return readable(found, textOfBase64(found.content));
    const headers = { accept: 'application/vnd.github.raw+json' };
    const bytes = await readBytes(await upstream(toCall(`GET ${contents}`, args, { headers })));
    return readable({ ...found, encoding: 'base64', content: toBase64(bytes) }, textOf(bytes));
  },
);

/** A file that is not UTF-8 stays in base64, and `encoding` says so. */
function readable(found: object, content: string | null): object {
  return content === null ? found : { ...found, content, encoding: 'utf-8' };
}
