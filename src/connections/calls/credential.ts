// A credential put where the integration wants it: headers, query or cookies of one call.
import { toBase64 } from '../../kit/binary.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Auth, CredentialPlace } from '../../kit/manifest.ts';
import type { ConnectionConfig } from '../config.ts';
import { cookieHeader } from '../cookies/cookie-jar.ts';
import { parseBundle } from '../cookies/cookies.ts';

/** A connection's credential on a call: where the API wants it, or the cookies of the session that go to this address. */
export function carryCredential(
  { api, auth }: Integration,
  { config, secret }: { config: ConnectionConfig; secret: string },
  target: Target,
  now: number,
): void {
  if (api === undefined || auth.type === 'none') return;
  if (auth.type !== 'cookie')
    return applyCredential(api.credential, { ...config, ...secretsOf(auth, secret) }, target);
  const bundle = parseBundle(secret);
  const cookies = bundle === null ? '' : cookieHeader(bundle, target.url, now);
  if (cookies !== '') target.headers.set('cookie', cookies);
  if (bundle?.userAgent !== undefined) target.headers.set('user-agent', bundle.userAgent);
}

/** What of a credential nobody may repeat: its secrets, and how they stand together in a header. */
export function secretsOn({ auth }: Integration, secret: string, headers: Headers): string[] {
  if (auth.type === 'none') return [];
  const [, pair = ''] = /^Basic (.+)$/.exec(headers.get('authorization') ?? '') ?? [];
  const own =
    auth.type === 'cookie'
      ? (parseBundle(secret)?.cookies ?? []).map(({ value }) => value)
      : Object.values(secretsOf(auth, secret));
  return [...own, pair];
}

/** The secrets of a connection by the names its manifest gives them; the only one is also `secret`. */
function secretsOf(block: Auth, stored: string): Record<string, string> {
  if (block.type !== 'apikey') return { secret: stored };
  const keys = block.fields.filter(({ secret }) => secret).map(({ key }) => key);
  // design: C4, one is stored as it is, several as JSON
  const [only] = keys;
  return keys.length === 1 && only !== undefined
    ? { [only]: stored, secret: stored }
    : { ...JSON.parse(stored) };
}

interface Target {
  url: URL;
  headers: Headers;
}

function applyCredential(
  place: CredentialPlace,
  values: Record<string, string>,
  { url, headers }: Target,
): void {
  switch (place.in) {
    case 'bearer':
      headers.set('authorization', `Bearer ${values['secret'] ?? ''}`);
      break;
    case 'headers':
      for (const [name, template] of Object.entries(place.headers)) {
        const value = fillIn(template, values);
        if (value !== null) headers.set(name, value);
      }
      break;
    case 'query':
      for (const [name, template] of Object.entries(place.parameters)) {
        const value = fillIn(template, values);
        if (value !== null) url.searchParams.set(name, value);
      }
      break;
    case 'basic':
      headers.set(
        'authorization',
        `Basic ${encode(`${fillIn(place.user, values) ?? ''}:${fillIn(place.password, values) ?? ''}`)}`,
      );
      break;
    case 'cookie':
      // Which cookies go depends on the address: the jar decides.
      break;
  }
}

/** Null when a field that was left empty stands in it. */
function fillIn(template: string, values: Record<string, string>): string | null {
  let isWhole = true;
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name)) isWhole = false;
    return values[name] ?? '';
  });
  return isWhole ? filled : null;
}

// RFC 7617: bytes of UTF-8, not of Latin-1
function encode(text: string): string {
  return toBase64(new TextEncoder().encode(text));
}
