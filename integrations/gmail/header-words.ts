// Header fields that hold other letters than ASCII's, as encoded words and back. RFC 2047, RFC 5322
import { fromBase64, toBase64 } from '../../src/kit/binary.ts';

// Of UTF-8 in one encoded word: 52 of base64, 12 around it and the name of the field are less than the 76 that
// RFC 2047 §2 allows a line.
const WORD_BYTES = 39;
// A line may have 998; what is longer than this is put into words, which fold.
const MAX_PLAIN_LENGTH = 200;

/** A text as it stands in a header; line breaks in it would begin another header. */
export function encodeText(text: string): string {
  const clean = oneLine(text);
  const isPlain = /^[ -~]*$/.test(clean) && !clean.includes('=?') && clean.length <= MAX_PLAIN_LENGTH;
  return isPlain ? clean : encodedWords(clean);
}

/** `Name <address>` or an address alone. */
export function encodeAddress(mailbox: string): string {
  const clean = oneLine(mailbox);
  const open = clean.endsWith('>') ? clean.lastIndexOf('<') : -1;
  const name = clean.slice(0, Math.max(open, 0)).trim();
  const address = open < 0 ? clean : clean.slice(open + 1, -1);
  if (!/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(address)) throw new Error(`"${mailbox}" is no mail address`);
  const plain = name.replace(/^"(.*)"$/, '$1').replace(/\\(.)/g, '$1');
  if (plain === '') return asciiDomain(address);
  const isPlain = /^[ -~]*$/.test(plain) && !plain.includes('=?');
  const phrase = isPlain ? quote(plain) : encodedWords(plain);
  return `${phrase} <${asciiDomain(address)}>`;
}

/** The text that encoded words stand for; what stands between two of them is only folding. */
export function decodeWords(value: string): string {
  return decodeRuns(value, (text) => text);
}

/** The same among addresses, where a name with a comma in it has to be quoted once it is decoded. */
export function decodeAddresses(value: string): string {
  return decodeRuns(value, (text) => (/[()<>@,;:\\"[\]]/.test(text) ? quote(text) : text));
}

function decodeRuns(value: string, written: (text: string) => string): string {
  return value
    .replace(/(\?=)\s+(?==\?[\w.-]+(?:\*[\w-]*)?\?[bq]\?)/gi, '$1')
    .replace(/(?:=\?[\w.-]+(?:\*[\w-]*)?\?[bq]\?[^?\s]*\?=)+/gi, (run) => written(decodeRun(run)));
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

/** A letter may be split over words of the same charset, though it should not be: their bytes are read as one. */
function decodeRun(run: string): string {
  const words = [...run.matchAll(/=\?([\w.-]+)(?:\*[\w-]*)?\?([bq])\?([^?\s]*)\?=/gi)];
  let text = '';
  let bytes: number[] = [];
  for (const [index, [, charset = '', encoding = '', content = '']] of words.entries()) {
    const more = encoding.toLowerCase() === 'b' ? (fromBase64(content) ?? []) : quotedBytes(content);
    // One by one: a stranger's subject may be longer than a call takes arguments.
    for (const byte of more) bytes.push(byte);
    if (words[index + 1]?.[1]?.toLowerCase() === charset.toLowerCase()) continue;
    text += decodeCharset(Uint8Array.from(bytes), charset);
    bytes = [];
  }
  return text;
}

/** In a charset that is not known, as UTF-8. */
export function decodeCharset(bytes: Uint8Array<ArrayBuffer>, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function quotedBytes(content: string): number[] {
  const units = content.replaceAll('_', ' ').matchAll(/=([0-9a-f]{2})|(.)/gi);
  return [...units].map(([, hex, unit = '']) =>
    hex === undefined ? unit.charCodeAt(0) : Number.parseInt(hex, 16),
  );
}

function encodedWords(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const words: string[] = [];
  for (let at = 0, end; at < bytes.length; at = end) {
    end = Math.min(at + WORD_BYTES, bytes.length);
    // A letter is not split: what begins with the bits 10 goes on with the one before.
    while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
    words.push(`=?UTF-8?B?${toBase64(bytes.subarray(at, end))}?=`);
  }
  return words.join('\r\n ');
}

// RFC 5891: a domain of other letters travels in its ASCII form
function asciiDomain(address: string): string {
  const at = address.lastIndexOf('@');
  const host = URL.parse(`http://${address.slice(at + 1)}/`)?.hostname;
  return /^[ -~]*$/.test(address) || host === undefined ? address : `${address.slice(0, at)}@${host}`;
}

function oneLine(text: string): string {
  // Control characters are what is looked for.
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
}
