// A credential put where the integration wants it: headers, query or cookies of one call.
import type { ApiKeyBlock, CredentialPlace } from '../manifest.ts';

/** The secret of a connection by the names its manifest gives them; the only one is also `secret`. */
export function secretsOf(
  block: ApiKeyBlock | { type: 'oauth2' | 'cookie' },
  stored: string,
): Record<string, string> {
  if (block.type !== 'apikey') return { secret: stored };
  const keys = block.fields.filter(({ secret }) => secret).map(({ key }) => key);
  // design: C4, one is stored as it is, several as JSON
  const [only] = keys;
  return keys.length === 1 && only !== undefined
    ? { [only]: stored, secret: stored }
    : { ...JSON.parse(stored) };
}

export interface Target {
  url: URL;
  headers: Headers;
}

export function applyCredential(
  place: CredentialPlace,
  secrets: Record<string, string>,
  { url, headers }: Target,
): void {
  switch (place.in) {
    case 'bearer':
      headers.set('authorization', `Bearer ${secrets['secret'] ?? ''}`);
      break;
    case 'headers':
      for (const [name, template] of Object.entries(place.headers)) {
        const value = fillIn(template, secrets);
        if (value !== null) headers.set(name, value);
      }
      break;
    case 'query':
      for (const [name, template] of Object.entries(place.parameters)) {
        const value = fillIn(template, secrets);
        if (value !== null) url.searchParams.set(name, value);
      }
      break;
    case 'basic':
      headers.set(
        'authorization',
        `Basic ${encode(`${fillIn(place.user, secrets) ?? ''}:${fillIn(place.password, secrets) ?? ''}`)}`,
      );
      break;
    case 'cookie':
      // Which cookies go depends on the address: the jar decides.
      break;
  }
}

/** Null when a field that was left empty stands in it. */
function fillIn(template: string, secrets: Record<string, string>): string | null {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.some((name) => !Object.hasOwn(secrets, name))) return null;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => secrets[name] ?? '');
}

// RFC 7617: bytes of UTF-8, not of Latin-1
function encode(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
