// Which headers cross the proxy, each way. Raw lists: duplicates and spelling are kept.
import type { Permitted } from '../../../src/proxy/permit.ts';

// RFC 9110 §7.6.1
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
const NEVER_SENT = new Set([
  ...HOP_BY_HOP,
  'authorization',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'x-service-api-key',
]);
// A session that may only read must not write by another name.
const METHOD_OVERRIDES = new Set(['x-http-method', 'x-http-method-override', 'x-method-override']);
const NEVER_RETURNED = new Set(HOP_BY_HOP);

/** What the upstream gets of the caller's headers, and what is set over them. */
export function requestHeaders(raw: readonly string[], { destination, heldToMethods }: Permitted): string[] {
  const added = destination.headers;
  const replaced = new Set(added.map(([name]) => name.toLowerCase()));
  const nominated = nominatedBy(raw);
  const kept = filterPairs(
    raw,
    (name) =>
      !NEVER_SENT.has(name) &&
      !replaced.has(name) &&
      !nominated.has(name) &&
      !(heldToMethods && METHOD_OVERRIDES.has(name)) &&
      !name.startsWith('x-forwarded-'),
  );
  for (const [name, value] of added) kept.push(name, value);
  return kept;
}

/** What the caller gets of the upstream's; a cookie session's own cookies stay with the gateway. */
export function responseHeaders(raw: readonly string[], keepsCookies: boolean): string[] {
  const nominated = nominatedBy(raw);
  return filterPairs(
    raw,
    (name) => !NEVER_RETURNED.has(name) && !nominated.has(name) && !(keepsCookies && name === 'set-cookie'),
  );
}

function nominatedBy(raw: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (let index = 0; index < raw.length; index += 2) {
    if (raw[index]?.toLowerCase() !== 'connection') continue;
    for (const name of raw[index + 1]?.split(',') ?? []) names.add(name.trim().toLowerCase());
  }
  return names;
}

function filterPairs(raw: readonly string[], keep: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = '', value = ''] = [raw[index], raw[index + 1]];
    if (keep(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}
