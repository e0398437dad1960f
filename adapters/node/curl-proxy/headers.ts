// Chooses the headers that cross the proxy, each way. They stay raw lists, so duplicates and spelling are kept.
import { REQUEST_ID_HEADER } from '../../../src/http/observe.ts';
import type { Sent } from '../../../src/calls/wire.ts';
import {
  namesClientAddress,
  overridesRequestLine,
  spellHeader,
} from '../../../src/kit/overriding-headers.ts';
import { endToEnd } from '../end-to-end.ts';

type Header = Sent['destination']['headers'][number];

const NEVER_SENT = new Set([
  'authorization',
  'cookie',
  'expect',
  'host',
  'x-browser-session',
  'x-service-actor',
  'x-service-api-key',
]);

/** An answer that is checked has to be whole and readable: a part of it may begin in the middle of a secret. */
const NOT_CHECKABLE = new Set(['accept-encoding', 'if-range', 'range']);
const READABLE = ['Accept-Encoding', 'identity'];

/** The caller's headers that the upstream gets, with the gateway's own over them. */
export function requestHeaders(raw: readonly string[], sent: Sent): string[] {
  const added = addedHeaders(raw, sent);
  const headers = ownHeaders(raw, sent, added);
  for (const [name, value] of added) headers.push(name, value);
  if (sent.redactions !== null) headers.push(...READABLE);
  return headers;
}

/** Those of them that are the caller's own. None of them has a credential of the gateway. */
export const callerHeaders = (raw: readonly string[], sent: Sent): string[] =>
  ownHeaders(raw, sent, addedHeaders(raw, sent));

function ownHeaders(raw: readonly string[], sent: Sent, added: readonly Header[]): string[] {
  return endToEnd(raw, (spelled) => {
    const name = spellHeader(spelled);
    return (
      !NEVER_SENT.has(name) &&
      !added.some(([replaced]) => replaced === name) &&
      !(sent.isHeld && overridesRequestLine(name)) &&
      !(sent.redactions !== null && NOT_CHECKABLE.has(name)) &&
      !namesClientAddress(name) &&
      !isSetByCloudflare(name)
    );
  });
}

function addedHeaders(raw: readonly string[], { destination }: Sent): readonly Header[] {
  const { defaults, headers } = destination;
  if (defaults.length === 0) return headers;
  return [...defaults.filter(([name]) => !hasChosen(raw, name)), ...headers];
}

// Cloudflare sets these in front of the gateway, and an API behind Cloudflare answers 403 to a request that has them.
// The caller's own headers for Cloudflare Access pass, because an instance may be behind it.
function isSetByCloudflare(name: string): boolean {
  return name.startsWith('cf-') && !name.startsWith('cf-access-client-');
}

// curl sends `accept: */*` by default, so that value does not count as a choice.
function hasChosen(raw: readonly string[], wanted: string): boolean {
  return raw.some(
    (name, index) =>
      index % 2 === 0 && name.toLowerCase() === wanted.toLowerCase() && raw[index + 1] !== '*/*',
  );
}

/** The request id of the upstream, next to the one of the gateway. */
const UPSTREAM_REQUEST_ID = 'X-Upstream-Request-Id';

/**
 * The upstream's headers that the caller gets, with the id of the request. The cookies of a stored session stay with the
 * gateway.
 */
export function responseHeaders(raw: readonly string[], keepsCookies: boolean, requestId: string): string[] {
  const kept = endToEnd(raw, (name) => !(keepsCookies && name === 'set-cookie'));
  for (let index = 0; index < kept.length; index += 2)
    if (kept[index]?.toLowerCase() === 'x-request-id') kept[index] = UPSTREAM_REQUEST_ID;
  kept.push(REQUEST_ID_HEADER, requestId);
  return kept;
}

/** They describe the bytes that the upstream has sent, and an answer that is checked has others. */
const OF_THE_BYTES = new Set([
  'accept-ranges',
  'content-digest',
  'content-encoding',
  'content-length',
  'content-md5',
  'digest',
  'repr-digest',
]);

/** Says at the end of an answer what was taken out of it. */
export const REDACTED_TRAILER = 'X-Redacted';

export function checkedHeaders(headers: readonly string[]): string[] {
  const whole = headers.filter((part, index) => {
    const name = index % 2 === 0 ? part : (headers[index - 1] ?? '');
    return !OF_THE_BYTES.has(name.toLowerCase());
  });
  return [...whole, 'Trailer', REDACTED_TRAILER];
}
