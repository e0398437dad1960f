// Turns the security schemes of a description into the ways to connect that an import knows.
import type { EnteredAuth, ImportAuth } from '../model/source-description.ts';
import { type Description, listOf, member, type Node, objectOf, textOf } from './document.ts';

const MAX_SCHEMES = 50;
const MAX_ALTERNATIVES = 10;
const MAX_SCOPES = 200;
const MAX_SCOPE = 256;
const MAX_VALUE = 2_000;
const COOKIE = 'Cookie';
// RFC 9110 §5.6.2
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;

export interface Security {
  auth: ImportAuth;
  otherAuth: ImportAuth[];
  problems: string[];
  /** What the credential adds to each request: a parameter of that name is not an argument. */
  carries(place: string, name: string): boolean;
}

/** Several schemes together, each with the scopes that it needs. */
type Requirement = ReadonlyMap<string, readonly string[]>;

/** `base` is what relative addresses of schemes are relative to. */
export function readSecurity(description: Description, operations: readonly Node[], base: string): Security {
  const { root, version } = description;
  const declared =
    version === '2.0'
      ? objectOf(root, 'securityDefinitions')
      : objectOf(objectOf(root, 'components'), 'securitySchemes');
  const schemes = new Map<string, unknown>();
  for (const [name, value] of Object.entries(declared).slice(0, MAX_SCHEMES)) {
    const found = description.follow(value);
    if (found.problem === undefined) schemes.set(name, found.node);
  }
  const problems = new Set<string>();
  const ways: ImportAuth[] = [];
  for (const requirement of requirementsOf(root, operations, schemes)) {
    const way = readRequirement(requirement, schemes, base);
    if (typeof way === 'string') {
      problems.add(way);
      continue;
    }
    // A person may have a token and no client.
    for (const each of way.type === 'client' ? [way, authorize('Bearer', false)] : [way])
      if (!ways.some((known) => JSON.stringify(known) === JSON.stringify(each))) ways.push(each);
  }
  const [auth = { type: 'none' }, ...otherAuth] = orderWays(ways).slice(0, MAX_ALTERNATIVES);
  if (ways.some(isWholeAuthorization))
    problems.add(
      'The header Authorization is sent as each person enters it, so a word such as Bearer belongs to it.',
    );
  if (schemes.size === 0)
    problems.add(
      'The description does not say how to authenticate. Say it yourself if the service needs a credential.',
    );
  return { auth, otherAuth, problems: [...problems], carries: carriers(schemes) };
}

/** The cookie of a browser's session is what people have last, and nobody enters anything where that is possible. */
function orderWays(ways: readonly ImportAuth[]): ImportAuth[] {
  const rank = (way: ImportAuth) =>
    way.type === 'none' ? 2 : way.type === 'headers' && Object.hasOwn(way.headers, COOKIE) ? 1 : 0;
  return ways.toSorted((one, other) => rank(one) - rank(other));
}

function isWholeAuthorization(way: ImportAuth): boolean {
  if (way.type !== 'headers') return false;
  return Object.entries(way.headers).some(
    ([name, value]) => name.toLowerCase() === 'authorization' && value.startsWith('{'),
  );
}

function carriers(schemes: ReadonlyMap<string, unknown>): Security['carries'] {
  const carried = new Set(
    [...schemes.values()]
      .filter((scheme) => member(scheme, 'type') === 'apiKey')
      .map((scheme) => keyOf(String(member(scheme, 'in')), textOf(scheme, 'name') ?? '')),
  );
  return (place, name) => carried.has(keyOf(place, name));
}

const keyOf = (place: string, name: string) => `${place} ${place === 'header' ? name.toLowerCase() : name}`;

/** Those of the whole description come first, then those that most operations have. */
function requirementsOf(
  root: Node,
  operations: readonly Node[],
  schemes: ReadonlyMap<string, unknown>,
): Requirement[] {
  const uses = new Map<string, { requirement: Map<string, string[]>; count: number }>();
  const count = (owner: Node, weight: number) => {
    for (const given of listOf(owner, 'security')) {
      const entries = Object.entries(typeof given === 'object' && given !== null ? given : {});
      const key = JSON.stringify(entries.map(([name]) => name).toSorted());
      const use = uses.get(key) ?? { requirement: new Map<string, string[]>(), count: 0 };
      uses.set(key, use);
      use.count += weight;
      for (const [name, scopes] of entries) {
        const known = use.requirement.get(name) ?? [];
        use.requirement.set(name, known);
        for (const scope of Array.isArray(scopes) ? scopes : [])
          if (typeof scope === 'string' && known.length < MAX_SCOPES && !known.includes(scope))
            known.push(scope);
      }
    }
  };
  count(root, operations.length + 1);
  for (const operation of operations) count(operation, 1);
  const used = [...uses.values()].toSorted((one, other) => other.count - one.count);
  // Many descriptions declare schemes and forget to require them.
  if (used.length === 0) return [...schemes.keys()].map((name) => new Map([[name, []]]));
  // A service that also answers without a credential is connected with one where that is possible.
  return [
    ...used.filter(({ requirement }) => requirement.size > 0),
    ...used.filter(({ requirement }) => requirement.size === 0),
  ].map(({ requirement }) => requirement);
}

/** Returns a sentence when people cannot be connected like that. */
function readRequirement(
  requirement: Requirement,
  schemes: ReadonlyMap<string, unknown>,
  base: string,
): ImportAuth | string {
  if (requirement.size === 0) return { type: 'none' };
  const ways: ImportAuth[] = [];
  for (const [name, scopes] of requirement) {
    const scheme = schemes.get(name);
    const shown = JSON.stringify(name.slice(0, 100));
    if (scheme === undefined) return `The security scheme ${shown} is not described.`;
    const way = readScheme(scheme, scopes, base, requirement.size > 1);
    if (typeof way === 'string') return `The security scheme ${shown} cannot be used: ${way}.`;
    ways.push(way);
  }
  return (
    together(ways) ??
    `The security schemes ${[...requirement.keys()].map((name) => JSON.stringify(name.slice(0, 100))).join(' and ')} cannot be used together.`
  );
}

/** Returns undefined for ways that exclude each other. */
function together(ways: readonly ImportAuth[]): ImportAuth | undefined {
  const [first = { type: 'none' }, ...others] = ways;
  if (others.length === 0) return first;
  const headers: Record<string, string> = {};
  const parameters: Record<string, string> = {};
  let isBasic = false;
  for (const way of ways)
    switch (way.type) {
      case 'headers':
        for (const [name, template] of Object.entries(way.headers)) {
          const before = headers[name];
          // Several keys may be cookies, which share one header.
          if (before === undefined) headers[name] = template;
          else if (name === COOKIE) headers[name] = `${before}; ${template}`;
          else return undefined;
        }
        break;
      case 'query':
        Object.assign(parameters, way.parameters);
        break;
      case 'basic':
        isBasic = true;
        break;
      default:
        return undefined;
    }
  if (isBasic && Object.keys(headers).some((name) => name.toLowerCase() === 'authorization'))
    return undefined;
  const all: EnteredAuth[] = [
    ...(isBasic ? [{ type: 'basic' } as const] : []),
    ...(Object.keys(headers).length > 0 ? [{ type: 'headers', headers } as const] : []),
    ...(Object.keys(parameters).length > 0 ? [{ type: 'query', parameters } as const] : []),
  ];
  const [only, ...more] = all;
  return more.length === 0 ? only : { type: 'all', ways: all };
}

function readScheme(
  scheme: unknown,
  scopes: readonly string[],
  base: string,
  isOneOfMany: boolean,
): ImportAuth | string {
  switch (member(scheme, 'type')) {
    case 'basic':
      return { type: 'basic' };
    case 'http':
      return readHttp(scheme, isOneOfMany);
    case 'apiKey':
      return readKey(scheme, isOneOfMany);
    case 'oauth2':
      return readOauth(scheme, scopes, base, isOneOfMany);
    case 'openIdConnect': {
      const discoveryUrl = resolve(textOf(scheme, 'openIdConnectUrl'), base);
      return discoveryUrl === undefined
        ? 'its OpenID Connect address is missing'
        : { type: 'oauth2', scopes: [...scopes], discoveryUrl };
    }
    case 'mutualTLS':
      return 'it needs a certificate of the client (mutual TLS), which the gateway does not send';
    default:
      return `its type ${JSON.stringify(String(member(scheme, 'type')).slice(0, 40))} is not supported`;
  }
}

// These are conversations, not one value that a person could enter.
const CONVERSATIONS = /^(digest|negotiate|ntlm|hoba|mutual|dpop|gnap|oauth|vapid|privatetoken|scram-.*)$/;
const SCHEME_WORD = /^[A-Za-z][A-Za-z0-9-]{0,40}$/;

function readHttp(scheme: unknown, isOneOfMany: boolean): ImportAuth | string {
  const word = textOf(scheme, 'scheme') ?? '';
  const name = word.toLowerCase();
  if (name === 'basic') return { type: 'basic' };
  if (!SCHEME_WORD.test(word) || CONVERSATIONS.test(name))
    return `HTTP authentication with ${JSON.stringify(word.slice(0, 40))} is not supported`;
  return authorize(name === 'bearer' ? 'Bearer' : word, isOneOfMany);
}

const authorize = (word: string, isOneOfMany: boolean): ImportAuth => ({
  type: 'headers',
  // A field may be named after a header of its own.
  headers: { Authorization: `${word} {${isOneOfMany ? 'access_token' : 'token'}}` },
});

function readKey(scheme: unknown, isOneOfMany: boolean): ImportAuth | string {
  const name = textOf(scheme, 'name') ?? '';
  const place = member(scheme, 'in');
  const field = isOneOfMany ? `{${fieldName(name)}}` : '{api_key}';
  if (place === 'query')
    return name === '' || name.length > 128
      ? 'its name is not usable'
      : { type: 'query', parameters: { [name]: field } };
  if (!HEADER_NAME.test(name)) return `its ${place === 'cookie' ? 'cookie' : 'header'} is not usable`;
  // RFC 6265 §4.1.1: the name of a cookie is written as that of a header.
  if (place === 'cookie') return { type: 'headers', headers: { [COOKIE]: `${name}={${fieldName(name)}}` } };
  if (place !== 'header') return 'its place is not usable';
  const word = name.toLowerCase() === 'authorization' ? wordBefore(scheme) : undefined;
  return word === undefined
    ? { type: 'headers', headers: { [name]: field } }
    : { type: 'headers', headers: { [name]: `${word} {token}` } };
}

/** A key in \`Authorization\` often has a word before it, which OpenAPI cannot say, so authors say it in the description. */
function wordBefore(scheme: unknown): string | undefined {
  const about = textOf(scheme, 'description')?.slice(0, MAX_VALUE) ?? '';
  const [, prefix] =
    /\bprefix(?:ed)?\s+(?:of\s+|is\s+|with\s+)?["'`\u201C]([A-Za-z][\w-]{0,30})\s?["'`\u201D]/i.exec(about) ??
    [];
  if (prefix !== undefined) return prefix;
  if (/\bbearer\b/i.test(about)) return 'Bearer';
  // Many write it before a placeholder: `Token <your key>` or "ApiKey {key}".
  const [, word] =
    /(?:^|[\s"'`:\u201C(])([A-Z][A-Za-z-]{1,30})\s+(?:<[\w -]{1,40}>|\{[\w -]{1,40}\}|\[[\w -]{1,40}\])/.exec(
      about,
    ) ?? [];
  return word === 'Authorization' ? undefined : word;
}

function fieldName(name: string): string {
  const tidy = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 32);
  return tidy === '' ? 'api_key' : tidy;
}

function readOauth(
  scheme: unknown,
  required: readonly string[],
  base: string,
  isOneOfMany: boolean,
): ImportAuth {
  const isOld = member(scheme, 'flows') === undefined;
  const old = member(scheme, 'flow');
  const flowOf = (name: string, oldName: string) =>
    isOld ? (old === oldName ? scheme : undefined) : member(objectOf(scheme, 'flows'), name);
  const addressIn = (flow: unknown, name: string) => resolve(textOf(flow, name), base);
  const signIn = flowOf('authorizationCode', 'accessCode');
  const authorizeUrl = addressIn(signIn, 'authorizationUrl');
  const signInTokens = addressIn(signIn, 'tokenUrl');
  if (authorizeUrl !== undefined && signInTokens !== undefined)
    return { type: 'oauth2', scopes: scopesOf(signIn, required), authorizeUrl, tokenUrl: signInTokens };
  const client = flowOf('clientCredentials', 'application');
  const tokenUrl = addressIn(client, 'tokenUrl');
  // The token of a client cannot be combined with what a person enters beside it.
  if (tokenUrl !== undefined && !isOneOfMany)
    return { type: 'client', tokenUrl, scopes: scopesOf(client, required) };
  // The other flows give a token to a program. People have such a token, or make one at the service.
  return authorize('Bearer', isOneOfMany);
}

function scopesOf(flow: unknown, required: readonly string[]): string[] {
  const known = Object.keys(objectOf(flow, 'scopes'));
  return (required.length > 0 ? required : known)
    .filter((scope) => /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(scope) && scope.length <= MAX_SCOPE)
    .slice(0, MAX_SCOPES);
}

function resolve(address: string | undefined, base: string): string | undefined {
  if (address === undefined || address.length > MAX_VALUE) return undefined;
  const url = URL.parse(address, base);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
}
