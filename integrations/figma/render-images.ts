// Renders nodes as pictures: returns addresses that are valid for a while, or the picture itself.
import * as z from 'zod';
import { readBytes } from '../../src/kit/binary.ts';
import { renderFile } from '../../src/kit/files.ts';
import { tool } from '../../src/kit/integration.ts';
import { createRows } from '../../src/kit/rest-rows.ts';

const { send } = createRows({ names: 'snake_case' });

export const FILE_KEY = z
  .string()
  .describe('File key, from the address of the file: figma.com/design/<key>/…');
export const NODE_IDS = z
  .string()
  .describe('Node ids from figma_get_file, separated by commas, such as 1:2,1:3');

const Rendered = z.lazy(() => z.looseObject({ images: z.record(z.string(), z.string().nullable()) }));

export const renderImages = tool(
  'figma_render_images',
  'Render nodes of a file as images: returns their addresses, or with asImage the image of one node',
  () => ({
    fileKey: FILE_KEY,
    ids: NODE_IDS,
    scale: z.number().min(0.01).max(4).optional().describe('Scale, such as 2 for twice the size'),
    format: z.enum(['jpg', 'png', 'svg', 'pdf']).default('png').describe('Image format'),
    asImage: z.boolean().default(false).describe('true returns the image itself, of one node as png or jpg'),
    asFile: z.boolean().default(false).describe('true keeps the image of one node, in any format, as a file'),
  }),
  async ({ asImage, asFile, ...args }, { upstream, fetch, files }) => {
    const rendered = Rendered.parse(await send(upstream, 'GET /v1/images/{fileKey}', args));
    if (!asImage && !asFile) return rendered;
    const [address, ...others] = Object.values(rendered.images);
    if (asFile && others.length > 0) throw new Error('asFile keeps one node: ask for one at a time');
    if (!asFile && (others.length > 0 || !/^(png|jpg)$/.test(args.format)))
      throw new Error('asImage shows one node, as png or jpg: ask for one at a time');
    if (typeof address !== 'string') throw new Error(`Figma could not render ${args.ids}`);
    // The address is signed and on another host, so the token is not sent there.
    const bytes = await readBytes(await fetch(address));
    const name = `${args.ids.replaceAll(':', '-')}.${args.format}`;
    const { _mcpImage, file } = await renderFile(files, { bytes, name, mimeType: '' }, { asFile });
    return { ...rendered, ...(file === undefined ? { _mcpImage } : { file }) };
  },
);
