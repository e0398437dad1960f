// Reads the answer of an operation: JSON as a value, text as text, and everything else as an image or a kept file.
import { parseUpstreamJson } from '../../egress/json.ts';
import { type Bytes, readBytes, textOf } from '../../kit/binary.ts';
import { nameInDisposition, nameInPath, renderFile, type ToolFiles } from '../../kit/files.ts';
import { readPayload } from '../../kit/payload.ts';
import { isTooLarge, markCut, SHOWN_CHARACTERS } from '../model/cut-text.ts';
import { essenceOf, isJsonType } from './media-types.ts';

interface Expected {
  files: ToolFiles;
  /** The media types of successful answers. */
  accepts: readonly string[];
  /** The path of the request, which names a file when the answer does not. */
  path: string;
}

/** Throws an UpstreamError for a status that is no success. */
export async function readAnswer(response: Response, { files, accepts, path }: Expected): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || isJsonType(type)) return readPayload(response);
  const bytes = isText(type) ? await readWithBeginning(response) : await readBytes(response);
  if (typeof bytes === 'string') return bytes;
  if (bytes.length === 0) return {};
  const text = decode(bytes, type);
  if (text === null) {
    const named = nameInDisposition(response.headers.get('content-disposition')) ?? nameInPath(path);
    return renderFile(files, { bytes, name: named === '' ? 'file' : named, mimeType: essenceOf(type) });
  }
  // A service that does not name the type answers as it is described.
  return type === '' && isJsonType(accepts[0] ?? '') ? parseUpstreamJson(text, 'the service') : text;
}

const isText = (type: string): boolean => /^(text\/|application\/(x-ndjson|xml|yaml)\b)/i.test(type.trim());

/** Returns the beginning of a text that is too long, marked as cut. */
async function readWithBeginning(response: Response): Promise<Bytes | string> {
  const { body, headers } = response;
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
      parts.push(value);
    }
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    const begun = new Uint8Array(await new Blob(parts).slice(0, SHOWN_CHARACTERS).arrayBuffer());
    const text = textOf(begun, true) ?? decode(begun, headers.get('content-type') ?? '');
    if (text === null) throw error;
    return markCut(text, error);
  }
}

function decode(bytes: Bytes, type: string): string | null {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(type) ?? [];
  if (/^(utf-?8|us-ascii)$/i.test(charset)) return textOf(bytes);
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return textOf(bytes);
  }
}

/** The types in the order of the description, and anything else as the last choice. RFC 9110 §12.5.1 */
export function acceptHeader(accepts: readonly string[]): string {
  if (accepts.length === 0) return 'application/json, */*;q=0.5';
  const ranked = accepts.map((type, index) =>
    index === 0 ? type : `${type};q=${(1 - index / 10).toFixed(1)}`,
  );
  return [...ranked, '*/*;q=0.1'].join(', ');
}
