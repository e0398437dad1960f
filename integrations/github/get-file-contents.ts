// Returns a file as text, or the entries of a directory. GitHub leaves out the content of files over 1 MB, so
// it is fetched separately.
import * as z from 'zod';
import { type Bytes, fromBase64, readBytes, textOf } from '../../src/kit/binary.ts';
import { asFile, nameInPath, type ToolFiles } from '../../src/kit/files.ts';
import { tool } from '../../src/kit/integration.ts';
import { at, COMMITTISH, repository, send, some, text, toCall } from './api.ts';

export const file = {
  ...repository,
  path: text.describe('Path from the root of the repository, such as docs/guide.md'),
};
export const contents = `${at}/contents/{path+}` as const;

const File = z.lazy(() =>
  z.looseObject({ content: text, encoding: z.enum(['base64', 'none']), size: z.int().optional() }),
);
// The maximum size of one response.
const MAX_BYTES = 16 * 1024 * 1024;

export const getFileContents = tool(
  'github_get_file_contents',
  'Get a file as text or a kept file, or list a directory',
  () => ({ ...file, ref: some.describe(`${COMMITTISH}; the default branch unless given`), asFile }),
  async ({ asFile: keep, ...args }, { upstream, files }) => {
    const payload = await send(upstream, `GET ${contents}`, args);
    const found = File.safeParse(payload).data;
    if (found === undefined || (found.size ?? 0) > MAX_BYTES) return payload;
    const headers = { accept: 'application/vnd.github.raw+json' };
    const bytes =
      found.encoding === 'base64'
        ? fromBase64(found.content)
        : await readBytes(await upstream(toCall(`GET ${contents}`, args, { headers })));
    return bytes === null ? found : readable(found, bytes, { name: nameInPath(args.path), keep }, files);
  },
);

async function readable(
  found: z.infer<typeof File>,
  bytes: Bytes,
  { name, keep }: { name: string; keep: boolean | undefined },
  files: ToolFiles,
): Promise<object> {
  const content = keep === true ? null : textOf(bytes);
  if (content !== null) return { ...found, content, encoding: 'utf-8' };
  const { content: _, encoding: __, ...about } = found;
  return { ...about, file: await files.save({ bytes, name, mimeType: '' }) };
}
