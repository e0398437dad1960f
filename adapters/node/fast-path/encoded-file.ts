// A file of a jot as its bytes go over the wire: head and small body in one piece, kept while nothing in it changes.
import { STATUS_CODES } from 'node:http';
import type { CachedFile } from '../../../src/jots/serving/cached-file.ts';
import type { HeaderRecord } from '../../../src/jots/serving/headers.ts';
import { SMALL_BODY } from './inline-body.ts';

export interface WireForm {
  head: Buffer;
  /** What is not behind the head already. */
  body: Uint8Array | null;
}

interface Kept extends WireForm {
  headers: HeaderRecord;
  lastLines: string;
}

export function createWireForms(): (file: CachedFile, lastLines: string) => WireForm {
  /** As long as memory has the body. */
  const forms = new WeakMap<object, Kept>();

  return function wireForm(file, lastLines) {
    const { headers, body } = file;
    const kept = forms.get(body ?? headers);
    // Two files may have one body.
    if (kept?.lastLines === lastLines && kept.headers === headers) return kept;
    const form = { ...formOf(file, lastLines), headers, lastLines };
    forms.set(body ?? headers, form);
    return form;
  };
}

function formOf({ status, headers, body }: CachedFile, lastLines: string): WireForm {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}${lastLines}\r\n`;
  const head = Buffer.from(text, 'latin1');
  if (body === null) return { head, body };
  return body.length > SMALL_BODY ? { head, body } : { head: Buffer.concat([head, body]), body: null };
}
