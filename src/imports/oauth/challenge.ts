// Reads what a server says about the credential that it wants. RFC 9110 §11.6.1, RFC 6750 §3, RFC 9728 §5.1
export interface BearerChallenge {
  /** Where the server describes itself as a protected resource. */
  resourceMetadata: string | undefined;
  scopes: string[];
  error: string | undefined;
}

const MAX_CHARACTERS = 8_192;
const MAX_SCOPES = 100;
// RFC 6749 §3.3, and a length that no real scope has.
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;
const PARAMETER = /([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi;

/** Finds nothing when the header has no Bearer challenge. */
export function readChallenge(header: string | null): BearerChallenge {
  const text = (header ?? '').slice(0, MAX_CHARACTERS);
  const from = /(?:^|[\s,])bearer(?=[\s,]|$)/i.exec(text)?.index;
  const found = new Map<string, string>();
  for (const [, name = '', quoted, plain] of from === undefined ? [] : text.slice(from).matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    // Another challenge may follow in the same header.
    if (!found.has(key)) found.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '');
  }
  return {
    resourceMetadata: found.get('resource_metadata'),
    scopes: readScopes(found.get('scope')),
    error: found.get('error'),
  };
}

/** Keeps valid scopes, each of them once. */
export function readScopes(given: string | readonly string[] | undefined): string[] {
  const list = typeof given === 'string' ? given.split(' ') : (given ?? []);
  return [...new Set(list)].filter((scope) => SCOPE.test(scope)).slice(0, MAX_SCOPES);
}
