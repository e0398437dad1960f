// Turns the security schemes of a description into the ways to connect that an import knows.
import type { ImportAuth } from '../model/source-description.ts';
import { type Description, listOf, member, type Node, objectOf, textOf } from './document.ts';

const MAX_SCHEMES = 50;
const MAX_ALTERNATIVES = 10;
const MAX_SCOPES = 200;
const MAX_SCOPE = 256;
const MAX_VALUE = 2_000;
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
    if (typeof way === 'string') problems.add(way);
    else if (!ways.some((known) => JSON.stringify(known) === JSON.stringify(way))) ways.push(way);
  }
  const [auth = { type: 'none' }, ...otherAuth] = ways.slice(0, MAX_ALTERNATIVES);
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
  const [first = { type: 'none' }, ...rest] = ways;
  let whole: ImportAuth = first;
  for (const way of rest) {
    if (whole.type === 'headers' && way.type === 'headers')
      whole = { type: 'headers', headers: { ...whole.headers, ...way.headers } };
    else if (whole.type === 'query' && way.type === 'query')
      whole = { type: 'query', parameters: { ...whole.parameters, ...way.parameters } };
    else
      return `The security schemes ${[...requirement.keys()].map((name) => JSON.stringify(name.slice(0, 100))).join(' and ')} cannot be used together.`;
  }
  return whole;
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
      return readHttp(scheme);
    case 'apiKey':
      return readKey(scheme, isOneOfMany);
    case 'oauth2':
      return readOauth(scheme, scopes, base);
    case 'openIdConnect': {
      const discoveryUrl = resolve(textOf(scheme, 'openIdConnectUrl'), base);
      return discoveryUrl === undefined
        ? 'its OpenID Connect address is missing'
        : { type: 'oauth2', scopes: [...scopes], discoveryUrl };
    }
    default:
      return `its type ${JSON.stringify(String(member(scheme, 'type')).slice(0, 40))} is not supported`;
  }
}

function readHttp(scheme: unknown): ImportAuth | string {
  const name = textOf(scheme, 'scheme')?.toLowerCase();
  if (name === 'basic') return { type: 'basic' };
  if (name === 'bearer') return { type: 'headers', headers: { Authorization: 'Bearer {token}' } };
  return `HTTP authentication with ${JSON.stringify((name ?? '').slice(0, 40))} is not supported`;
}

function readKey(scheme: unknown, isOneOfMany: boolean): ImportAuth | string {
  const name = textOf(scheme, 'name') ?? '';
  const place = member(scheme, 'in');
  if (place === 'cookie') return 'its key is a cookie';
  const field = isOneOfMany ? `{${fieldName(name)}}` : '{api_key}';
  if (place === 'query')
    return name === '' || name.length > 128
      ? 'its name is not usable'
      : { type: 'query', parameters: { [name]: field } };
  if (place !== 'header' || !HEADER_NAME.test(name)) return 'its header is not usable';
  // OpenAPI 2.0 cannot say "bearer", so authors say it in the description.
  const isBearer =
    name.toLowerCase() === 'authorization' &&
    /\bbearer\b/i.test(textOf(scheme, 'description')?.slice(0, MAX_VALUE) ?? '');
  return { type: 'headers', headers: { [name]: isBearer ? 'Bearer {token}' : field } };
}

function fieldName(name: string): string {
  const tidy = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 32);
  return tidy === '' ? 'api_key' : tidy;
}

function readOauth(scheme: unknown, required: readonly string[], base: string): ImportAuth | string {
  const isOld = member(scheme, 'flows') === undefined;
  const flow = isOld ? scheme : member(objectOf(scheme, 'flows'), 'authorizationCode');
  if (flow === undefined || (isOld && member(scheme, 'flow') !== 'accessCode'))
    return 'it has no authorization code flow, which is how a person signs in';
  const authorizeUrl = resolve(textOf(flow, 'authorizationUrl'), base);
  const tokenUrl = resolve(textOf(flow, 'tokenUrl'), base);
  if (authorizeUrl === undefined || tokenUrl === undefined) return 'an address of its OAuth flow is missing';
  const known = Object.keys(objectOf(flow, 'scopes'));
  const scopes = (required.length > 0 ? required : known)
    .filter((scope) => /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(scope) && scope.length <= MAX_SCOPE)
    .slice(0, MAX_SCOPES);
  return { type: 'oauth2', scopes, authorizeUrl, tokenUrl };
}

function resolve(address: string | undefined, base: string): string | undefined {
  if (address === undefined || address.length > MAX_VALUE) return undefined;
  const url = URL.parse(address, base);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
}
