// Puts a credential where the API wants it: into the headers, the query or the cookies of one call.
import { toBase64 } from '../../kit/binary.ts';
import type { Integration } from '../../kit/integration.ts';
import type { CredentialPlace } from '../../kit/manifest.ts';
import type { ConnectionConfig } from '../model/config.ts';
import { type CookiesCredential, type Credential, isOwnToken, secretsIn } from '../model/credential.ts';
import { cookieHeader } from '../cookies/cookie-jar.ts';

interface Target {
  url: URL;
  headers: Headers;
}

export interface Placed {
  integration: Integration;
  config: ConnectionConfig;
  credential: Credential;
}

export function placeCredential(
  { integration, config, credential }: Placed,
  target: Target,
  now: number,
): void {
  const place = placeOf(integration, credential, config);
  if (place === undefined || integration.auth.type === 'none') return;
  switch (credential.kind) {
    case 'token':
      return fillPlace(place, { ...config, secret: credential.token }, target);
    case 'fields':
      return fillPlace(place, { ...config, ...credential.values }, target);
    case 'cookies':
      return placeCookies(credential, target, now);
  }
}

/** Where a call carries the credential. A choice that the config does not name carries it nowhere. */
export function placeOf(
  { api, token }: Integration,
  credential: Credential,
  config: ConnectionConfig,
): CredentialPlace | undefined {
  const place = isOwnToken(credential) ? token?.credential : api?.credential;
  if (place?.in !== 'chosen') return place;
  const chosen = config[place.by] ?? '';
  return Object.hasOwn(place.places, chosen) ? place.places[chosen] : undefined;
}

/** The secrets that a refusal may repeat: those of the credential, and both parts of a Basic header together. */
export function secretsOn(credential: Credential, headers: Headers): string[] {
  const [, pair = ''] = /^Basic (.+)$/.exec(headers.get('authorization') ?? '') ?? [];
  return [...secretsIn(credential), pair];
}

function placeCookies({ bundle }: CookiesCredential, { url, headers }: Target, now: number): void {
  const cookies = bundle === null ? '' : cookieHeader(bundle, url, now);
  if (cookies !== '') headers.set('cookie', cookies);
  if (bundle?.userAgent !== undefined) headers.set('user-agent', bundle.userAgent);
}

function fillPlace(place: CredentialPlace, values: Record<string, string>, { url, headers }: Target): void {
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
    case 'all':
      for (const each of place.places) fillPlace(each, values, { url, headers });
      break;
    case 'query':
      for (const [name, template] of Object.entries(place.parameters)) {
        const value = fillIn(template, values);
        if (value !== null) setParameter(url, name, value);
      }
      break;
    case 'basic':
      headers.set(
        'authorization',
        `Basic ${encode(`${fillIn(place.user, values) ?? ''}:${fillIn(place.password, values) ?? ''}`)}`,
      );
      break;
    case 'cookie':
    case 'chosen':
      // A token or a field is never sent as a cookie, and `placeOf` has chosen already.
      break;
  }
}

/** A key that is a cookie stands beside the cookies that are arguments of the call. */
export function addPlaced(headers: Headers, name: string, value: string): void {
  const others = name.toLowerCase() === 'cookie' ? headers.get(name) : null;
  headers.set(name, others === null ? value : `${others}; ${value}`);
}

/** Tells whether the credential is a part of the address. */
export const isInAddress = (place: CredentialPlace | undefined): boolean =>
  place?.in === 'query' || (place?.in === 'all' && place.places.some(isInAddress));

/** Keeps the other parameters as they are written. `searchParams` would encode their commas and change their spaces. */
function setParameter(url: URL, name: string, value: string): void {
  const others = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !new URLSearchParams(part).has(name));
  url.search = [...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join('&');
}

/** Null when the template names a field that was left empty. */
function fillIn(template: string, values: Record<string, string>): string | null {
  let isWhole = true;
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name)) isWhole = false;
    return values[name] ?? '';
  });
  return isWhole ? filled : null;
}

// RFC 7617: the bytes are UTF-8, not Latin-1.
function encode(text: string): string {
  return toBase64(new TextEncoder().encode(text));
}
