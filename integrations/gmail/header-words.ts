// Encodes header fields with non-ASCII letters as encoded words, and decodes them. RFC 2047, RFC 5322
import { fromBase64, toBase64 } from '../../src/kit/binary.ts';

// Bytes of UTF-8 per encoded word: 52 characters of base64, 12 around it and the field's name stay below the
// 76 that RFC 2047 §2 allows per line.
const WORD_BYTES = 39;
// A line may have 998 characters. A longer text is encoded into words, which can be folded.
const MAX_PLAIN_LENGTH = 200;

/** Encodes a text for a header. A line break in the text would begin another header, so it is removed. */
export function encodeText(text: string): string {
  const clean = oneLine(text);
  const isPlain = /^[ -~]*$/.test(clean) && !clean.includes('=?') && clean.length <= MAX_PLAIN_LENGTH;
  return isPlain ? clean : encodedWords(clean);
}

/** Accepts `Name <address>` or an address alone. */
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

/** Decodes encoded words. White space between two of them is only folding. */
export function decodeWords(value: string): string {
  return decodeRuns(value, (text) => text);
}

/** Decodes encoded words in a list of addresses, and quotes a decoded name that contains a comma. */
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

/**
 * Some senders split a letter over two words of the same charset, so the bytes of such words are joined
 * first.
 */
function decodeRun(run: string): string {
  const words = [...run.matchAll(/=\?([\w.-]+)(?:\*[\w-]*)?\?([bq])\?([^?\s]*)\?=/gi)];
  let text = '';
  let bytes: number[] = [];
  for (const [index, [, charset = '', encoding = '', content = '']] of words.entries()) {
    const more = encoding.toLowerCase() === 'b' ? (fromBase64(content) ?? []) : quotedBytes(content);
    // Appends one by one: a stranger's subject may have more parts than a function call takes arguments.
    for (const byte of more) bytes.push(byte);
    if (words[index + 1]?.[1]?.toLowerCase() === charset.toLowerCase()) continue;
    text += decodeCharset(Uint8Array.from(bytes), charset);
    bytes = [];
  }
  return text;
}

/** An unknown charset is read as UTF-8. */
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
    // Keeps letters whole: a byte that begins with the bits 10 continues the letter before it.
    while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
    words.push(`=?UTF-8?B?${toBase64(bytes.subarray(at, end))}?=`);
  }
  return words.join('\r\n ');
}

// RFC 5891: a non-ASCII domain is sent in its ASCII form
function asciiDomain(address: string): string {
  const at = address.lastIndexOf('@');
  const host = URL.parse(`http://${address.slice(at + 1)}/`)?.hostname;
  return /^[ -~]*$/.test(address) || host === undefined ? address : `${address.slice(0, at)}@${host}`;
}

function oneLine(text: string): string {
  // The expression has to match control characters. oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
}
