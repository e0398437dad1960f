// Finds the address that calls go to, and the addresses of single operations on the same origin.
import { isObject } from '../../json/json.ts';
import type { SourceServer } from '../model/source-description.ts';
import { SourceFailure } from '../model/source-failure.ts';
import { type Description, listOf, member, type Node, objectOf, textOf } from './document.ts';
import { shorten } from './plain.ts';

const MAX_SERVERS = 20;
const MAX_VARIABLES = 20;
const MAX_VALUES = 100;
const MAX_TEXT = 300;

export interface Servers {
  base: string;
  all: readonly SourceServer[];
  /** Returns undefined for the base itself, and null when a path or operation is served elsewhere. */
  find(owner: Node): string | undefined | null;
}

export interface Where {
  /** The address of the document, or null for an upload. */
  address: string | null;
  /** Replaces what the description says. */
  base?: string | undefined;
  variables?: Readonly<Record<string, string>> | undefined;
}

export function readServers(description: Description, where: Where): Servers {
  const all = describeServers(description, where);
  const described = all[0]?.address;
  const base = where.base === undefined ? described : normalize(where.base);
  if (base === undefined)
    throw new SourceFailure(
      422,
      where.base === undefined
        ? 'The description does not say where its service is. Give the base address of the service.'
        : 'The base address must begin with https:// or http:// and have no user name, no password and no query.',
    );
  // A base that the description does not offer stands for all of it, such as an instance of one's own.
  const isOffered = all.some(({ address }) => address === base);
  const standsForAll =
    where.base !== undefined && (!isOffered || rootServers(description, where).length === 0);
  const { origin } = new URL(base);
  return {
    base,
    all,
    find(owner) {
      const own = listOf(owner, 'servers').slice(0, MAX_SERVERS);
      if (own.length === 0) return undefined;
      const addresses = own.map((server) => expand(server, where));
      const same = addresses.find((address) => address !== undefined && new URL(address).origin === origin);
      if (same === undefined) return standsForAll ? undefined : null;
      return same === base ? undefined : same;
    },
  };
}

function describeServers({ version, root }: Description, where: Where): SourceServer[] {
  const servers = rootServers({ version, root }, where);
  const named = servers.length > 0 ? servers : serversOfOperations(root, where);
  // Without servers, calls go to the host of the document. OpenAPI 3.1 §4.8.1.1
  const given = named.length === 0 ? [{ url: '/' }] : named;
  return given.slice(0, MAX_SERVERS).flatMap((server) => {
    const address = expand(server, where);
    if (address === undefined) return [];
    return [
      {
        address,
        description: shorten(textOf(server, 'description') ?? '', MAX_TEXT),
        variables: describeVariables(objectOf(server, 'variables')),
      },
    ];
  });
}

const rootServers = ({ version, root }: Pick<Description, 'version' | 'root'>, where: Where) =>
  version === '2.0' ? swaggerServers(root, where) : listOf(root, 'servers');

/** Some descriptions name servers at operations only. The one that most of them name comes first. */
function serversOfOperations(root: Node, where: Where): unknown[] {
  const uses = new Map<string, { server: unknown; count: number }>();
  for (const item of Object.values(objectOf(root, 'paths')))
    for (const owner of [item, ...(isObject(item) ? Object.values(item) : [])]) {
      const [server] = listOf(owner, 'servers');
      const address = server === undefined ? undefined : expand(server, where);
      if (address === undefined) continue;
      const use = uses.get(address) ?? { server, count: 0 };
      uses.set(address, { ...use, count: use.count + 1 });
    }
  return [...uses.values()].toSorted((one, other) => other.count - one.count).map(({ server }) => server);
}

function swaggerServers(root: Node, { address }: Where): Node[] {
  const host = textOf(root, 'host');
  const path = textOf(root, 'basePath') ?? '/';
  if (host === undefined) return [{ url: path }];
  const schemes = listOf(root, 'schemes').filter((scheme) => scheme === 'https' || scheme === 'http');
  const own = address === null ? 'https' : new URL(address).protocol.slice(0, -1);
  // Credentials travel encrypted where the service can do that.
  const ordered =
    schemes.length === 0
      ? [own]
      : schemes.toSorted((one, other) => Number(other === 'https') - Number(one === 'https'));
  return ordered.map((scheme) => ({ url: `${scheme}://${host}/${path.replace(/^\/+/, '')}` }));
}

function describeVariables(variables: Node): SourceServer['variables'] {
  return Object.entries(variables)
    .slice(0, MAX_VARIABLES)
    .map(([name, variable]) => ({
      name: name.slice(0, MAX_TEXT),
      value: valueOf(variable).slice(0, MAX_TEXT),
      values: listOf(variable, 'enum')
        .filter((value) => typeof value === 'string')
        .slice(0, MAX_VALUES)
        .map((value) => value.slice(0, MAX_TEXT)),
      description: shorten(textOf(variable, 'description') ?? '', MAX_TEXT),
    }));
}

function valueOf(variable: unknown): string {
  const value = member(variable, 'default');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Puts the values of variables into the address and resolves it against the address of the document. */
function expand(server: unknown, { address, variables = {} }: Where): string | undefined {
  const url = textOf(server, 'url');
  if (url === undefined) return undefined;
  const known = objectOf(server, 'variables');
  const expanded = url.slice(0, 2_000).replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    if (Object.hasOwn(variables, name)) return variables[name] ?? whole;
    return valueOf(member(known, name)) || whole;
  });
  return expanded.includes('{') ? undefined : normalize(expanded, address);
}

function normalize(address: string, relativeTo: string | null = null): string | undefined {
  const url = URL.parse(address, relativeTo ?? undefined);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  // An address with a password would be shown, and a query would be lost behind the path of an operation.
  if (url.username !== '' || url.password !== '' || url.search !== '') return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
