// Reads any public page as text. The guard keeps it away from everything that is not public.
import * as z from 'zod';
import { imageOf } from '../../src/kit/binary.ts';
import { asFile, nameInDisposition, nameInPath, renderFile } from '../../src/kit/files.ts';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { toText } from '../html/to-text.ts';
import { logo } from './logo.ts';
import { words } from './words.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const REDIRECTS = 3;

export const web = defineIntegration({
  name: 'web',
  version: '1.0.0',
  displayName: 'Web',
  description: 'Read any public page as text',
  categories: ['built-in'],
  logo,
  auth: { type: 'none' },
  words,
  tools: [
    tool(
      'web_fetch',
      'Fetch a public web page by its URL and read it as Markdown, plain text or source; what is no text becomes an image or a kept file',
      () => ({
        url: z
          .url({ protocol: /^https?$/ })
          .describe('Public http or https address, e.g. https://example.com/docs'),
        format: z
          .enum(['markdown', 'text', 'raw'])
          .default('markdown')
          .describe('markdown keeps headings, lists, links and code; text drops them; raw is the source'),
        maxChars: z
          .int()
          .min(1)
          .max(1_000_000)
          .default(20_000)
          .describe('Characters to return at most; `truncated` tells the full length'),
        asFile,
      }),
      async ({ url, format, maxChars, asFile: keep }, { fetch, files }) => {
        const headers = {
          accept: 'text/html,application/xhtml+xml,text/*;q=0.9,application/json;q=0.8,*/*;q=0.1',
        };
        const response = await fetch(url, { headers, maxBytes: MAX_BYTES, redirects: REDIRECTS });
        const type = response.headers.get('content-type') ?? '';
        const found = {
          // Relative links refer to the address after redirects.
          url: response.url === new URL(url).href ? url : response.url,
          status: response.status,
        };
        const name = nameInDisposition(response.headers.get('content-disposition')) ?? nameInPath(found.url);
        const bytes = new Uint8Array(await response.arrayBuffer());
        if (
          keep === true ||
          !/^(text\/|application\/(json|xml|xhtml\+xml|javascript|[\w.-]+\+(json|xml)))|^$/i.test(type)
        ) {
          const isImage = keep !== true && imageOf(bytes)._mcpImage !== undefined;
          const shown = await renderFile(files, { bytes, name, mimeType: type }, { asFile: !isImage });
          return { ...found, ...shown };
        }
        const body = decode(bytes, type);
        const page =
          format !== 'raw' && /html/i.test(type)
            ? toText(body, format === 'markdown')
            : { title: '', text: body };
        const text = page.text.slice(0, maxChars);
        return {
          ...found,
          title: page.title,
          text,
          ...(text.length < page.text.length ? { truncated: page.text.length } : {}),
        };
      },
    ),
  ],
});

/** The page names its charset in its header, or near its beginning. */
function decode(bytes: Uint8Array, type: string): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 2_048));
  const label =
    /charset=["']?([\w-]+)/i.exec(type)?.[1] ??
    /<meta[^>]+charset=["']?([\w-]+)/i.exec(start)?.[1] ??
    'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
