// Writes a raw request as the person is shown it before they approve it. What is shown names everything that is sent, but for
// headers that change nothing. reference: Approvals; decision: 038
import { textOf, toBase64 } from '../kit/binary.ts';
import type { Digest } from '../ports/digest.ts';
import type { RawRequest } from './wire.ts';

/** What the caller sends beside the request line. */
export interface Message {
  /** The caller's headers that are passed on, names and values in turn. */
  headers: readonly string[];
  /** Null for a request without a body. */
  body: Uint8Array<ArrayBuffer> | null;
}

/** Clients and the proxies before this gateway write these anew for each request, and no API acts on them. */
const HARMLESS = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'b3',
  'cache-control',
  'cdn-loop',
  'content-length',
  'date',
  'dnt',
  'pragma',
  'priority',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-user',
  'traceparent',
  'tracestate',
  'user-agent',
  'via',
  'x-amz-cf-id',
  'x-amzn-trace-id',
  'x-b3-parentspanid',
  'x-b3-sampled',
  'x-b3-spanid',
  'x-b3-traceid',
  'x-cloud-trace-context',
  'x-correlation-id',
  'x-request-id',
  'x-request-start',
]);

export function showRequest(
  { method, path: { tail, search } }: Pick<RawRequest, 'method' | 'path'>,
  { headers, body }: Message,
  digest: Pick<Digest, 'start'>,
) {
  const named = valuesByName(headers);
  const contentType = named.get('content-type');
  named.delete('content-type');
  return {
    method,
    path: tail === '' ? '/' : tail,
    ...(search === '' ? {} : { query: search }),
    ...(contentType === undefined ? {} : { contentType: oneOrAll(contentType) }),
    ...(named.size === 0
      ? {}
      : // A header may have any name, also that of a prototype.
        { headers: Object.fromEntries([...named].map(([name, values]) => [name, oneOrAll(values)])) }),
    ...(body === null ? {} : { body: showBody(body), sha256: sha256(body, digest) }),
  };
}

/** The headers that count, by their names in lower case. */
function valuesByName(headers: readonly string[]): Map<string, string[]> {
  const named = new Map<string, string[]>();
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index]?.toLowerCase(), headers[index + 1]];
    if (HARMLESS.has(name)) continue;
    named.set(name, [...(named.get(name) ?? []), value]);
  }
  return named;
}

const oneOrAll = (values: string[]): string | string[] =>
  values.length === 1 && values[0] !== undefined ? values[0] : values;

function showBody(body: Uint8Array<ArrayBuffer>): string | { base64: string; bytes: number } {
  return textOf(body) ?? { base64: toBase64(body), bytes: body.length };
}

function sha256(body: Uint8Array, digest: Pick<Digest, 'start'>): string {
  const running = digest.start();
  running.update(body);
  return running.hex();
}
