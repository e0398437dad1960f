// Which headers cross the proxy, each way. Raw lists: duplicates and spelling are kept.
import type { Permitted } from '../../../src/proxy/permit.ts';
import { endToEnd } from '../end-to-end.ts';

const NEVER_SENT = new Set([
  'authorization',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'true-client-ip',
  'x-real-ip',
  'x-service-api-key',
]);
// A session that may only read must not write by another name.
const METHOD_OVERRIDES = new Set(['x-http-method', 'x-http-method-override', 'x-method-override']);

/** What the upstream gets of the caller's headers, and what is set over them. */
export function requestHeaders(raw: readonly string[], { destination, heldToMethods }: Permitted): string[] {
  const defaults = destination.defaults.filter(([name]) => !says(raw, name));
  const added = [...defaults, ...destination.headers];
  const kept = endToEnd(raw, (spelled) => {
    // RFC 3875 §4.1.18: to what is behind CGI, WSGI or Rack the two are one.
    const name = spelled.replaceAll('_', '-');
    return (
      !NEVER_SENT.has(name) &&
      !added.some(([replaced]) => replaced === name) &&
      !(heldToMethods && METHOD_OVERRIDES.has(name)) &&
      !name.startsWith('x-forwarded-') &&
      !isOfCloudflare(name)
    );
  });
  for (const [name, value] of added) kept.push(name, value);
  return kept;
}

// In front of the gateway it says there whom it serves; an API behind it answers 403 to whoever says so. What a caller
// shows to enter an instance behind Cloudflare Access is the caller's own.
function isOfCloudflare(name: string): boolean {
  return name.startsWith('cf-') && !name.startsWith('cf-access-client-');
}

// curl accepts anything unless it is told otherwise, which is no word on what it wants.
function says(raw: readonly string[], wanted: string): boolean {
  return raw.some(
    (name, index) =>
      index % 2 === 0 && name.toLowerCase() === wanted.toLowerCase() && raw[index + 1] !== '*/*',
  );
}

/** What the caller gets of the upstream's; a cookie session's own cookies stay with the gateway. */
export function responseHeaders(raw: readonly string[], keepsCookies: boolean): string[] {
  return endToEnd(raw, (name) => !(keepsCookies && name === 'set-cookie'));
}
