// Turns what an importer says about the credential into the blocks of an integration: what a person enters, and where calls carry it.
import type { ApiBlock, ApiKeyField, Auth, CredentialPlace } from '../../kit/manifest.ts';
import { isOverriding } from '../../kit/overriding-headers.ts';
import type { EnteredAuth, ImportAuth } from './source-description.ts';

export interface AuthBlocks {
  auth: Auth;
  /** The parts of the API block that carry the credential. */
  api: Pick<ApiBlock, 'credential' | 'headers'>;
}

export type ReadBlocks = ({ ok: true } & AuthBlocks) | { ok: false; message: string };

const MAX_ENTRIES = 10;
const MAX_TEMPLATE = 1_024;
const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]{1,64}$/i;
const PARAMETER = /^[\x21-\x7e]{1,64}$/;
const FIELD = /^[a-z0-9_]{1,32}$/;
// What the protocol, the gateway or a proxy decides. RFC 9110 §7.6.1
const REFUSED =
  /^(host|cookie2?|set-cookie2?|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|origin|referer|user-agent|last-event-id|via|forwarded|x-real-ip|(content|accept|mcp|proxy|sec|if|x-forwarded|access-control)(-.*)?)$/i;
// RFC 6265 §4.1.1. A cookie that is the same for everybody could name another account.
const COOKIES = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+=\{[a-z0-9_]+\}(; [!#$%&'*+.^_`|~0-9A-Za-z-]+=\{[a-z0-9_]+\})*$/;
const CARRIES_SECRET = /auth|key|token|secret|password|credential|session/i;

export interface Place {
  /** Where the server of an MCP import is, or the base of an OpenAPI import. */
  address: string;
  /** The operator may write a secret into a header, for everyone. */
  isOperators?: boolean;
}

export function blocksOf(auth: ImportAuth, { address, isOperators = false }: Place): ReadBlocks {
  switch (auth.type) {
    case 'none':
      return { ok: true, auth: { type: 'none' }, api: { credential: { in: 'bearer' } } };
    case 'headers':
      return readHeaders(auth.headers, isOperators);
    case 'values':
      return refuse('Only servers of the operator take values.');
    case 'query':
      return readQuery(auth.parameters);
    case 'basic':
      return { ok: true, auth: { type: 'apikey', fields: BASIC }, api: { credential: BASIC_PLACE } };
    case 'all':
      return readAll(auth.ways, isOperators);
    case 'client':
      return readClient(auth);
    case 'oauth2':
      return readSignIn(auth, address);
  }
}

/** Each secret goes to its own place. Two that would be the same header, or the same field, cannot be told apart. */
function readAll(ways: readonly EnteredAuth[], isOperators: boolean): ReadBlocks {
  if (ways.length < 2 || ways.length > MAX_ENTRIES)
    return refuse(`Between 2 and ${MAX_ENTRIES} ways can be asked for together.`);
  const names = ways.flatMap(headersOf).map((name) => name.toLowerCase());
  if (new Set(names).size < names.length) return refuse('Each header can be given once.');
  const fields = new Map<string, ApiKeyField>();
  const places: CredentialPlace[] = [];
  let headers: Readonly<Record<string, string>> = {};
  for (const way of ways) {
    const read = blocksOf(way, { address: '', isOperators });
    if (!read.ok) return read;
    if (read.auth.type !== 'apikey') return refuse('Write a field such as {token} into each way.');
    for (const field of read.auth.fields) fields.set(field.key, field);
    places.push(read.api.credential);
    headers = { ...headers, ...read.api.headers };
  }
  return {
    ok: true,
    auth: { type: 'apikey', fields: [...fields.values()] },
    api: {
      credential: { in: 'all', places },
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    },
  };
}

const headersOf = (way: EnteredAuth): string[] =>
  way.type === 'headers' ? Object.keys(way.headers) : way.type === 'basic' ? ['authorization'] : [];

// Some services take a key as the user name and no password.
const BASIC: readonly ApiKeyField[] = [
  { key: 'user', label: 'User name', secret: true, required: true },
  { key: 'password', label: 'Password', secret: true, required: false },
];
const BASIC_PLACE: CredentialPlace = { in: 'basic', user: '{user}', password: '{password}' };

function readClient({ tokenUrl, scopes = [] }: ImportAuth & { type: 'client' }): ReadBlocks {
  const url = URL.parse(tokenUrl);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '')
    return refuse('The address of the tokens must begin with https:// and name no user.');
  const help = `The gateway sends it to ${url.host} only, which answers with a token.`;
  return {
    ok: true,
    auth: {
      type: 'apikey',
      fields: [
        { key: 'client_id', label: 'Client ID', secret: false, required: true },
        { key: 'client_secret', label: 'Client secret', secret: true, required: true, help },
      ],
      exchange: { tokenUrl, scopes },
    },
    api: { credential: { in: 'bearer' } },
  };
}

function readHeaders(headers: Readonly<Record<string, string>>, mayHoldSecret: boolean): ReadBlocks {
  const entries = Object.entries(headers);
  if (new Set(entries.map(([name]) => name.toLowerCase())).size < entries.length)
    return refuse('Each header can be given once.');
  for (const [name, template] of entries) {
    if (!NAME.test(name)) return refuse(`${quote(name)} is not the name of a header.`);
    const isCookie = name.toLowerCase() === 'cookie';
    if (isCookie && !COOKIES.test(template))
      return refuse(`Write cookies as name={field}, with "; " between two: session={session}.`);
    if (!isCookie && REFUSED.test(name))
      return refuse(`The header ${name} is set by the gateway. Leave it out.`);
    if (!mayHoldSecret && fieldsIn(template).length === 0 && CARRIES_SECRET.test(name))
      return refuse(
        `Write a field such as {token} in the header ${name} in place of the secret: each person then enters their own.`,
      );
  }
  const read = readFields(entries, 'header');
  if (!read.ok) return read;
  // A header without a field is the same for everybody, such as a version.
  const fixed = Object.fromEntries(entries.filter(([, template]) => fieldsIn(template).length === 0));
  const filled = Object.fromEntries(entries.filter(([, template]) => fieldsIn(template).length > 0));
  const constant = Object.keys(fixed).length === 0 ? {} : { headers: fixed };
  if (read.fields.length === 0)
    return { ok: true, auth: { type: 'none' }, api: { credential: { in: 'bearer' }, ...constant } };
  return {
    ok: true,
    auth: { type: 'apikey', fields: read.fields },
    api: { credential: { in: 'headers', headers: filled }, ...constant },
  };
}

function readQuery(parameters: Readonly<Record<string, string>>): ReadBlocks {
  const entries = Object.entries(parameters);
  const odd = entries.find(([name]) => !PARAMETER.test(name));
  if (odd !== undefined) return refuse(`${quote(odd[0])} is not the name of a parameter.`);
  const fixed = entries.find(([, template]) => fieldsIn(template).length === 0);
  if (fixed !== undefined)
    return refuse(`Write a field such as {key} as the value of the parameter ${fixed[0]}.`);
  const read = readFields(entries, 'parameter');
  if (!read.ok) return read;
  if (read.fields.length === 0) return refuse('Name the parameter that carries the key.');
  return {
    ok: true,
    auth: { type: 'apikey', fields: read.fields },
    api: { credential: { in: 'query', parameters: Object.fromEntries(entries) } },
  };
}

function readFields(
  entries: readonly (readonly [name: string, template: string])[],
  kind: 'header' | 'parameter',
): { ok: true; fields: ApiKeyField[] } | { ok: false; message: string } {
  if (entries.length > MAX_ENTRIES) return refuse(`At most ${MAX_ENTRIES} ${kind}s can be given.`);
  for (const [name, template] of entries) {
    if (template.length > MAX_TEMPLATE || !/^[\x20-\x7e]*$/.test(template))
      return refuse(
        `The value of the ${kind} ${name} may have ${MAX_TEMPLATE} ASCII characters without line breaks.`,
      );
    const bad = bracesIn(template).find((field) => !FIELD.test(field));
    if (bad !== undefined)
      return refuse(`${quote(`{${bad}}`)} is not a field: use a-z, 0-9 and _, at most 32 of them.`);
  }
  const keys = [...new Set(entries.flatMap(([, template]) => fieldsIn(template)))];
  if (keys.length > MAX_ENTRIES) return refuse(`At most ${MAX_ENTRIES} fields can be asked for.`);
  return {
    ok: true,
    fields: keys.map((key) => ({ key, label: labelOf(key), secret: true, required: true })),
  };
}

function readSignIn(auth: ImportAuth & { type: 'oauth2' }, address: string): ReadBlocks {
  const { clientId, clientSecret, scopes = [], authorizeUrl, tokenUrl } = auth;
  if ((authorizeUrl === undefined) !== (tokenUrl === undefined))
    return refuse('A sign-in needs both addresses: where people sign in, and where tokens come from.');
  if (clientId === undefined && clientSecret !== undefined)
    return refuse('A client secret needs its client id.');
  const secret = clientSecret === undefined ? {} : { clientSecret };
  return {
    ok: true,
    auth: {
      type: 'oauth2',
      // `dynamic` takes their place.
      authorizeUrl: '',
      tokenUrl: '',
      scopes,
      clientAuth: 'post',
      dynamic: {
        address,
        ...(clientId === undefined ? {} : { client: { clientId, ...secret } }),
        ...(authorizeUrl === undefined || tokenUrl === undefined
          ? {}
          : { endpoints: { authorizeUrl, tokenUrl } }),
      },
    },
    api: { credential: { in: 'bearer' } },
  };
}

const bracesIn = (template: string): string[] =>
  [...template.matchAll(/\{([^{}]*)\}/g)].map(([, field = '']) => field);

const fieldsIn = (template: string): string[] => bracesIn(template).filter((field) => FIELD.test(field));

const SPELLED: Readonly<Record<string, string>> = { api: 'API', id: 'ID', url: 'URL', pat: 'PAT' };

/** `api_key` becomes “API key”. */
function labelOf(key: string): string {
  const words = key
    .split('_')
    .filter((word) => word !== '')
    .map((word) => SPELLED[word] ?? word);
  const [first = key, ...rest] = words;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ');
}

const quote = (text: string): string => JSON.stringify(text.slice(0, 100));

const refuse = (message: string): { ok: false; message: string } => ({ ok: false, message });

/** Says what is wrong with it; null when an import can use it. */
export function authMistake(auth: ImportAuth): string | null {
  const read = blocksOf(auth, { address: '' });
  if (!read.ok) return read.message;
  return overrideMistake(headersIn(auth));
}

/** Says what is wrong with headers that every call carries and nobody fills in; null when they can be used. */
export function headersMistake(headers: Readonly<Record<string, string>>): string | null {
  const read = readHeaders(headers, false);
  if (!read.ok) return read.message;
  if (read.auth.type !== 'none') return 'Write a header with a field that people fill in into auth.';
  return overrideMistake(headers);
}

type Headers = Readonly<Record<string, string>>;

function headersIn(auth: ImportAuth): Headers {
  if (auth.type === 'headers') return auth.headers;
  return auth.type === 'all' ? Object.assign({}, ...auth.ways.map(headersIn)) : {};
}

/** Rules go by the method and the path of a request, so no header may name other ones. */
function overrideMistake(headers: Headers): string | null {
  const name = Object.keys(headers).find(isOverriding);
  return name === undefined
    ? null
    : `The header ${name} may name another method, path, host or client. Leave it out.`;
}

/** An import that an earlier version stored may have such headers. They are not sent. */
export const dropOverrides = (headers: Headers): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isOverriding(name)));

/** A client of the importer works at the endpoints that are known. Nothing else is taken over, least of all a secret. */
export function atKnownEndpoints(wanted: ImportAuth, known: readonly ImportAuth[]): ImportAuth {
  if (wanted.type !== 'oauth2' || wanted.authorizeUrl !== undefined) return wanted;
  const signIn = known.find((way) => way.type === 'oauth2');
  if (signIn?.authorizeUrl === undefined) return wanted;
  const { scopes, authorizeUrl, tokenUrl } = signIn;
  return { scopes, ...wanted, authorizeUrl, tokenUrl };
}

/** The names of what each person fills in. */
export function fieldsOf(auth: ImportAuth): readonly string[] {
  switch (auth.type) {
    case 'headers':
      return [...new Set(Object.values(auth.headers).flatMap(fieldsIn))];
    case 'query':
      return [...new Set(Object.values(auth.parameters).flatMap(fieldsIn))];
    case 'basic':
      return BASIC.map(({ key }) => key);
    case 'all':
      return [...new Set(auth.ways.flatMap(fieldsOf))];
    case 'client':
      return ['client_id', 'client_secret'];
    case 'values':
      return auth.fields;
    case 'none':
    case 'oauth2':
      return [];
  }
}
