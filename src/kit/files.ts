// Takes files as arguments and gives them as results, so that bytes never travel through a model. reference: Files
import * as z from 'zod';
import { type Bytes, fromBase64, imageOf, textOf } from './binary.ts';

/** A file as results show it. */
export interface FileObject {
  handle: string;
  name: string;
  mimeType: string;
  bytes: number;
  sha256: string;
  /** Gives the file to whoever holds the address, for an hour. */
  url: string;
}

export interface FileContent {
  bytes: Bytes;
  name: string;
  /** Empty when nobody said it. */
  mimeType: string;
}

/** A kept file that a tool cannot take. The message is for the caller. */
export class FileNotUsable extends Error {
  override readonly name = 'FileNotUsable';
}

/** The files of the calling person. */
export interface ToolFiles {
  /** Reads a whole file into memory. Throws a FileNotUsable for an unknown, expired or foreign handle, and for a larger file. */
  read(reference: string, maxBytes?: number): Promise<FileContent>;
  save(file: FileContent): Promise<FileObject>;
}

/** Larger pictures are files: a model is sent a picture in base64, and clients refuse more than 5 MiB of that. */
const MAX_IMAGE_BYTES = 3_750 * 1024;

// The portal shows a file picker for arguments with this pattern.
const REFERENCE = /^(file:)?f-[0-9a-z]+-[0-9a-z]+-[0-9a-f]{32}$/;

export const fileReference = z.string().regex(REFERENCE, 'is not file:<handle>');

export const isFileReference = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('file:') && REFERENCE.test(value);

/** The three ways to give the content of a file. */
export const givenContent = {
  content: z.string().optional().describe('Text of the file'),
  contentBase64: z.base64().optional().describe('Bytes, instead of text'),
  file: fileReference
    .optional()
    .describe('file:<handle> of a kept file, instead of text; upload_file and downloads make one'),
};

export const asFile = z
  .boolean()
  .optional()
  .describe('true keeps text and images as files too, whose handles other tools take');

interface GivenContent {
  content?: string | undefined;
  contentBase64?: string | undefined;
  file?: string | undefined;
}

/** Reads the content that the caller gave. Name and type are those of a kept file. */
export async function readGiven(
  files: ToolFiles,
  { content, contentBase64, file }: GivenContent,
  maxBytes?: number,
): Promise<Partial<FileContent> & { bytes: Bytes }> {
  const given = [content, contentBase64, file].filter((value) => value !== undefined);
  const bytes = content === undefined ? fromBase64(contentBase64 ?? '') : new TextEncoder().encode(content);
  if (given.length !== 1 || bytes === null)
    throw new Error('Give exactly one of content, contentBase64 and file');
  return file === undefined ? { bytes } : files.read(file, maxBytes);
}

interface NamedContent extends GivenContent {
  name?: string | undefined;
  mimeType?: string | undefined;
}

/** Reads files to send along, one after the other. A given name and type win over those of a kept file. */
export async function readAttachments(
  files: ToolFiles,
  given: readonly NamedContent[],
  { maxBytes, nameless }: { maxBytes: number; nameless: string },
): Promise<FileContent[]> {
  const attachments: FileContent[] = [];
  for (const { name, mimeType, ...content } of given) {
    const read = await readGiven(files, content, maxBytes);
    const known = name ?? read.name;
    if (known === undefined) throw new Error(nameless);
    const type = mimeType ?? (read.mimeType || 'application/octet-stream');
    attachments.push({ bytes: read.bytes, name: known, mimeType: type });
  }
  return attachments;
}

/** Renders content for the caller: an image as an image, text as text, the rest as a kept file. */
export async function renderFile(
  files: ToolFiles,
  content: FileContent,
  {
    maxBytes = Infinity,
    asFile: keep = false,
  }: { maxBytes?: number | undefined; asFile?: boolean | undefined } = {},
): Promise<Record<string, unknown>> {
  const { bytes, mimeType } = content;
  const truncated = bytes.length > maxBytes;
  if (!keep) {
    const image = truncated || bytes.length > MAX_IMAGE_BYTES ? {} : imageOf(bytes);
    if (image._mcpImage !== undefined) return { mimeType, ...image };
    const text = textOf(truncated ? bytes.slice(0, maxBytes) : bytes, truncated);
    if (text !== null) return { mimeType, encoding: 'text', content: text, truncated };
  }
  return { mimeType, file: await files.save(content) };
}

/** Returns the last segment of a path or an address, for a name. */
export function nameInPath(path: string): string {
  const last =
    path
      .split(/[?#]/, 1)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Reads the name from a `Content-Disposition` header. RFC 6266 */
export function nameInDisposition(header: string | null | undefined): string | undefined {
  const [, encoded] = /\bfilename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header ?? '') ?? [];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // The plain form may still be readable.
    }
  }
  const [, quoted, plain] = /\bfilename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header ?? '') ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? plain;
}
