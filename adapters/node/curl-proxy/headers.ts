// Chooses the headers that cross the proxy, each way. They stay raw lists, so duplicates and spelling are kept.
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
// A session that may only read must not write through such a header.
const METHOD_OVERRIDES = new Set(['x-http-method', 'x-http-method-override', 'x-method-override']);

/** The caller's headers that the upstream gets, with the gateway's own over them. */
export function requestHeaders(raw: readonly string[], { destination, heldToMethods }: Permitted): string[] {
  const defaults = destination.defaults.filter(([name]) => !hasChosen(raw, name));
  const added = [...defaults, ...destination.headers];
  const kept = endToEnd(raw, (spelled) => {
    // RFC 3875 §4.1.18: behind CGI, WSGI or Rack both characters mean the same header.
    const name = spelled.replaceAll('_', '-');
    return (
      !NEVER_SENT.has(name) &&
      !added.some(([replaced]) => replaced === name) &&
      !(heldToMethods && METHOD_OVERRIDES.has(name)) &&
      !name.startsWith('x-forwarded-') &&
      !isSetByCloudflare(name)
    );
  });
  for (const [name, value] of added) kept.push(name, value);
  return kept;
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

/** The upstream's headers that the caller gets. The cookies of a stored session stay with the gateway. */
export function responseHeaders(raw: readonly string[], keepsCookies: boolean): string[] {
  return endToEnd(raw, (name) => !(keepsCookies && name === 'set-cookie'));
}
