// Turns a message into what people read: headers by name, the text, and a list of attachments, without MIME
// parts.
import * as z from 'zod';
import { fromBase64, textOf } from '../../src/kit/binary.ts';
import { toText } from '../html/to-text.ts';
import { decodeAddresses, decodeCharset, decodeWords } from './header-words.ts';

const Headers = z.lazy(() => z.array(z.object({ name: z.string(), value: z.string() })).default([]));
const Part = z.object({
  partId: z.string().optional(),
  mimeType: z.string().default(''),
  filename: z.string().default(''),
  headers: Headers,
  body: z
    .object({
      attachmentId: z.string().optional(),
      size: z.int().optional(),
      data: z.string().optional(),
    })
    .default({}),
  get parts() {
    return z.array(Part).default([]);
  },
});
type Part = z.output<typeof Part>;
const Message = z.looseObject({ payload: Part });
const Thread = z.lazy(() => z.looseObject({ messages: z.array(z.unknown()) }));

/** A message in a format other than full or metadata has no parts, and stays unchanged. */
export function readable(message: unknown): unknown {
  const parsed = Message.safeParse(message);
  if (!parsed.success) return message;
  const { payload, ...rest } = parsed.data;
  const leaves = leavesOf(payload);
  const isText = (part: Part, type: string) =>
    part.mimeType === type && part.filename === '' && part.body.data !== undefined;
  const plain = leaves.filter((part) => isText(part, 'text/plain')).map(contentOf);
  const html = leaves.filter((part) => isText(part, 'text/html')).map(contentOf);
  const attached = leaves.filter(({ body, filename }) => body.attachmentId !== undefined || filename !== '');
  return {
    ...rest,
    headers: headersOf(payload),
    // Most mail has the same text twice; HTML is returned only where there is no plain text.
    ...(plain.length > 0 ? { text: plain.join('\n') } : {}),
    ...(plain.length === 0 && html.length > 0
      ? { text: html.map((each) => toText(each).text).join('\n'), html: html.join('\n') }
      : {}),
    ...(attached.length > 0 ? { attachments: attached.map(describe) } : {}),
  };
}

export function readableThread(thread: unknown): unknown {
  const parsed = Thread.safeParse(thread);
  return parsed.success ? { ...parsed.data, messages: parsed.data.messages.map(readable) } : thread;
}

/** A mail that is attached to a mail counts as one part. */
function leavesOf(part: Part): Part[] {
  return part.parts.length === 0 || part.mimeType === 'message/rfc822'
    ? [part]
    : part.parts.flatMap(leavesOf);
}

const ADDRESSES = /^(from|sender|reply-to|to|cc|bcc)$/i;

function headersOf({ headers }: Part): Record<string, string> {
  const all: Record<string, string> = {};
  for (const { name, value } of headers) {
    const text = ADDRESSES.test(name) ? decodeAddresses(value) : decodeWords(value);
    all[name] = Object.hasOwn(all, name) ? `${all[name]}\n${text}` : text;
  }
  return all;
}

function contentOf(part: Part): string {
  const bytes = fromBase64(part.body.data ?? '') ?? new Uint8Array();
  const type = part.headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1]?.toLowerCase() ?? 'utf-8';
  // The API converts most text to UTF-8, whatever the header still says; text in ISO 2022 escapes is valid
  // UTF-8 too.
  const text = charset.startsWith('iso-2022') && bytes.includes(0x1b) ? null : textOf(bytes);
  return (text ?? decodeCharset(bytes, charset)).replaceAll('\r\n', '\n');
}

function describe({ filename, mimeType, partId, body }: Part) {
  return {
    attachmentId: body.attachmentId,
    filename: decodeWords(filename),
    mimeType,
    size: body.size,
    partId,
  };
}
