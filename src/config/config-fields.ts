// Declares the shapes of configuration values, each with a sentence that says what is right.
import * as z from 'zod';
import type { Problem } from './config-error.ts';

export type Database = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string };
export type PendingStore = { kind: 'memory' } | { kind: 'database' } | { kind: 'redis'; url: string };
export type BlobsLocation =
  | { kind: 'fs'; path: string }
  | { kind: 's3'; bucket: string; endpoint: string; region: string };
export type IntegrationClient = { clientId: string; clientSecret?: string | undefined };
/** The client at the default address of the product, and those at other instances by their origin. */
export type RegisteredClient = IntegrationClient & { instances: Record<string, IntegrationClient> };
export type IntegrationClients = Record<string, RegisteredClient>;

const HEX_KEY = /^[0-9a-f]{64}$/i;
const FOR_EXAMPLE = 'for example from "openssl rand -hex 32"';

const MIN_SESSION_SECRET_LENGTH = 32;
const MIN_DIGITS = 6;
const MAX_WORKERS = 256;

/** The rules for secrets of a gateway that others can reach. A key of only a few different digits was typed, not drawn. */
export const STRONG = {
  SESSION_SECRET: {
    expected: `at least ${MIN_SESSION_SECRET_LENGTH} random characters, ${FOR_EXAMPLE}`,
    isWeak: (text: string) => text.length < MIN_SESSION_SECRET_LENGTH,
  },
  ENCRYPTION_KEY: {
    expected: `64 hex characters drawn at random, ${FOR_EXAMPLE}`,
    isWeak: (text: string) => HEX_KEY.test(text) && new Set(text.toLowerCase()).size < MIN_DIGITS,
  },
};

/** Makes a schema from `parse`, which returns null for a text of another shape. */
function shape<T>(expected: string, parse: (text: string) => T | null) {
  return z.string().transform((text, context): T => {
    const value = parse(text);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message: `must be ${expected}` });
    return z.NEVER;
  });
}

export const whole = (least: number, most: number) =>
  shape(`a whole number from ${least} to ${most}`, (text) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= least && value <= most ? value : null;
  });

/** How many processes serve; `auto` for one per core. */
export const workers = shape(
  `auto or a whole number from 1 to ${MAX_WORKERS}`,
  (text): 'auto' | number | null => {
    if (text === 'auto') return text;
    return whole(1, MAX_WORKERS).safeParse(text).data ?? null;
  },
);

export const oneOf = <const T extends readonly string[]>(choices: T) =>
  shape(
    `one of: ${choices.join(', ')}`,
    (text): T[number] | null => choices.find((choice) => choice === text) ?? null,
  );

export const flag = shape('one of: true, false, on, off, 1, 0', (text) => {
  if (['true', 'on', '1'].includes(text)) return true;
  return ['false', 'off', '0'].includes(text) ? false : null;
});

/** Refuses names: some shells and tools set HOST to the name of the machine. */
export const listenAddress = shape('an IP address such as 127.0.0.1, or :: for all addresses', (text) =>
  z.union([z.ipv4(), z.ipv6()]).safeParse(text).success ? text : null,
);

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The name of a Microsoft Entra tenant is one segment of an address. */
export const tenant = shape(
  'common, organizations, consumers, or the id or the domain of a tenant such as contoso.onmicrosoft.com',
  (text) => (/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text) && !text.includes('..') ? text : null),
);

/** Names of groups, spelled as the provider spells them. */
export const groupNames = shape('a list of names of groups, separated by commas', (text) => {
  const names = splitList(text);
  return names.length > 0 ? names : null;
});

/** `imported` in a list means everything that people have added. */
export const integrationNames = shape(
  'on, off or a list of integrations such as github, linear or imported, separated by commas',
  (text): 'all' | readonly string[] | null => {
    if (['on', 'true', '1'].includes(text)) return 'all';
    if (['off', 'false', '0'].includes(text)) return [];
    const names = splitList(text);
    return names.length > 0 && names.every((name) => /^[a-z][a-z0-9_-]*$/.test(name)) ? names : null;
  },
);

export const printable = shape('a text without control characters', (text) =>
  /^[^\p{Cc}]{1,255}$/u.test(text) ? text : null,
);

export const share = shape('a number from 0 to 1', (text) => {
  const value = Number(text);
  return /^\d*\.?\d+$/.test(text) && value <= 1 ? value : null;
});

/** Keys and percent-encoded values. W3C Baggage §3.3 */
function readPairs(text: string, key: RegExp): Record<string, string> | null {
  const pairs = splitList(text).map((pair): [string, string] | null => {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
    try {
      const decoded = decodeURIComponent(value.trim());
      return key.test(name.trim()) && /^[^\p{Cc}]*$/u.test(decoded) ? [name.trim(), decoded] : null;
    } catch {
      return null;
    }
  });
  const sound = pairs.flatMap((pair) => (pair === null ? [] : [pair]));
  return sound.length === pairs.length ? Object.fromEntries(sound) : null;
}

export const keyValues = shape(
  'a list of <key>=<value> pairs, percent-encoded and separated by commas',
  (text) => readPairs(text, /^[\x21-\x7e]+$/),
);

/** The sentence does not show the value: it may be a secret. */
export const headerValues = shape(
  'a list of <header>=<value> pairs, percent-encoded and separated by commas',
  (text) => readPairs(text, /^[\w!#$%&'*+.^`|~-]+$/),
);

const AddressOrRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);
const HOST = /^(?:[\w-]+\.)*[\w-]*[a-z][\w-]*$/i;

/** Refuses other spellings: they would allow nothing, or more than the operator meant. */
export const places = shape(
  'a list of hosts, addresses and ranges such as gitlab.corp, 10.1.2.3 or 10.0.0.0/8, separated by commas',
  (text) => {
    const entries = splitList(text);
    return entries.every((entry) => HOST.test(entry) || AddressOrRange.safeParse(entry).success)
      ? entries
      : null;
  },
);

function httpUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.username === ''
    ? url
    : null;
}

export const baseUrl = shape('an http or https URL without query or fragment', (text) => {
  const url = httpUrl(text);
  return url !== null && url.search === '' && url.hash === '' ? url.href.replace(/\/+$/, '') : null;
});

/** The sentence does not show the value: it may hold a token. */
export const debuggingUrl = shape('an http, https, ws or wss URL', (text) =>
  /^(https?|wss?):\/\/[^/]/.test(text) && URL.canParse(text) ? text : null,
);

/** Keeps the address as it is written. */
export const httpAddress = shape('an http or https URL', (text) => (httpUrl(text) === null ? null : text));

export const singleOrigin = shape('an origin such as https://jots.example.com', (text) => {
  const url = httpUrl(text);
  return url !== null && url.href === `${url.origin}/` ? url.origin : null;
});

export const origins = shape(
  'a list of origins such as https://app.example.com, separated by commas',
  (text) => {
    const entries = splitList(text).map((entry) => httpUrl(entry)?.origin ?? originOfApplication(entry));
    return entries.every((entry) => entry !== null) ? entries : null;
  },
);

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

/** The people who may sign in: domains and addresses in lower case, or everybody. */
export type SignInAllow = '*' | readonly string[];

export const signInAllow = shape(
  'a list of e-mail domains and addresses such as example.com, ann@x.org, separated by commas, or * for everybody',
  (text): SignInAllow | null => {
    if (text === '*') return '*';
    const entries = splitList(text);
    const isEntry = (entry: string) => {
      const [, domain = ''] = /^(?:[\x21-\x7e]+@)?([^@]+)$/.exec(entry) ?? [];
      return domain === 'localhost' || DOMAIN.test(domain);
    };
    return entries.length > 0 && entries.every(isEntry) ? entries.map((entry) => entry.toLowerCase()) : null;
  },
);

/** Browser extensions and applications have pages with schemes of their own. */
function originOfApplication(text: string): string | null {
  return /^(?!https?:)[a-z][a-z\d+.-]*:\/\/[\w.-]+$/.test(text) ? text : null;
}

/**
 * Receivers of authorization codes: addresses, and the names that `redirectPlace` makes. Paths are compared exactly, so only
 * hosts and schemes lose their case.
 */
export const receivers = shape(
  'a list of addresses such as https://app.example.com/callback, hosts such as app.example.com, and schemes such as cursor:, separated by commas',
  (text) => {
    const list = splitList(text).map((place) => (place.includes('/') ? place : place.toLowerCase()));
    const isPlace = (place: string) =>
      /^([a-z0-9._-]+|\[[0-9a-f:]+\])(:\d{1,5})?$|^[a-z][a-z0-9+.-]*:$/.test(place) || isCallback(place);
    return list.every(isPlace) ? list : null;
  },
);

/** An address with a path, spelled as a client sends it: in lower case up to the path, without a default port. */
const isCallback = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:(\/\/[^/?#@]+\/|\/(?!\/))[^#]*$/.test(text) &&
  URL.canParse(text) &&
  new URL(text).href === text;

export const originMap = shape('a list of <origin>=<origin> pairs, separated by commas', (text) => {
  const pairs = splitList(text).map((pair) => pair.split('=').map((side) => httpUrl(side)?.origin));
  const complete = pairs.flatMap(([from, to, ...more]) =>
    from !== undefined && to !== undefined && more.length === 0 ? [{ from, to }] : [],
  );
  return complete.length === pairs.length ? complete : null;
});

const asHexKey = (text: string): string | null => (HEX_KEY.test(text) ? text.toLowerCase() : null);

export const hexKey = shape(`64 hex characters, ${FOR_EXAMPLE}`, asHexKey);

/**
 * A key that never leaves its service. It wraps the data key that seals here, which the store keeps under `source`.
 * decision: 072
 */
export type OutsideKey = { source: string } & (
  | { service: 'vault'; mount: string; key: string }
  | { service: 'awskms'; keyId: string }
);

export const encryptionKey = shape(
  `64 hex characters, ${FOR_EXAMPLE}, vault:<mount>/<key> or awskms:<key id or ARN>`,
  (text) => asHexKey(text) ?? readOutsideKey(text),
);

// A number behind `#` names another data key under the same key.
function readOutsideKey(source: string): OutsideKey | null {
  const [, mount, key] = /^vault:(\w[\w.-]*(?:\/\w[\w.-]*)*)\/(\w[\w.-]*)(?:#\d+)?$/.exec(source) ?? [];
  if (mount !== undefined && key !== undefined) return { source, service: 'vault', mount, key };
  const [, keyId] = /^awskms:([\w:/-]+)(?:#\d+)?$/.exec(source) ?? [];
  return keyId === undefined ? null : { source, service: 'awskms', keyId };
}

/** Node hangs when it creates a folder below /proc, and SQLite's `:memory:` is not a file. */
const isOnDisk = (path: string): boolean => !/^(\/proc(\/.*)?|:memory:)$/.test(path);

export const folder = shape('a folder on a disk', (text) => (isOnDisk(text) ? text : null));

/** Returns what follows `scheme:` when it is a path on a disk. */
function pathOf(scheme: string, text: string): string | null {
  const path = text.startsWith(`${scheme}:`) ? text.slice(scheme.length + 1) : '';
  return path !== '' && isOnDisk(path) ? path : null;
}

export const database = shape(
  'sqlite:<path on a disk> or postgres://<user>@<host>/<database>',
  (text): Database | null => {
    const path = pathOf('sqlite', text);
    if (path !== null) return { kind: 'sqlite', path };
    return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text) ? { kind: 'postgres', url: text } : null;
  },
);

export const pending = shape(
  'one of: memory, database, redis://<host>:<port>',
  (text): PendingStore | null => {
    if (text === 'memory' || text === 'database') return { kind: text };
    return /^rediss?:\/\//.test(text) && URL.canParse(text) ? { kind: 'redis', url: text } : null;
  },
);

export const blobs = shape(
  'fs:<path on a disk> or s3://<bucket>?endpoint=<origin>&region=<region>',
  readBlobs,
);

function readBlobs(text: string): BlobsLocation | null {
  const path = pathOf('fs', text);
  if (path !== null) return { kind: 'fs', path };
  const [, bucket, query] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})\/?\?(.+)$/.exec(text) ?? [];
  const given = new URLSearchParams(query);
  const endpoint = httpUrl(given.get('endpoint') ?? '');
  if (bucket === undefined || endpoint === null) return null;
  return { kind: 's3', bucket, endpoint: endpoint.origin, region: given.get('region') ?? 'us-east-1' };
}

/** Where the heads of audit segments are written. */
export type AuditHeads = { kind: 'webhook'; url: string } | BlobsLocation;

export const auditHeads = shape(
  'an https URL, s3://<bucket>?endpoint=<origin>&region=<region> or fs:<path on a disk>',
  (text): AuditHeads | null => {
    const url = httpUrl(text);
    if (url !== null) return { kind: 'webhook', url: url.href };
    return readBlobs(text);
  },
);

/** Where the rows of the audit log are sent. */
export type AuditPush =
  | { kind: 'webhook' | 'splunk'; url: string }
  | { kind: 'elastic'; url: string; index: string }
  | BlobsLocation;

const SPLUNK_PATH = '/services/collector/event';

export const auditPush = shape(
  'an https URL, splunk+https://<host>, elastic+https://<host>/<index>, s3://<bucket>?endpoint=<origin>&region=<region> or fs:<path>',
  (text): AuditPush | null => {
    const [, kind = 'webhook', rest = ''] = /^(?:(splunk|elastic)\+)?(.*)$/s.exec(text) ?? [];
    const url = httpUrl(rest);
    if (url === null) return kind === 'webhook' ? readBlobs(text) : null;
    if (kind === 'webhook') return { kind, url: url.href };
    if (kind === 'splunk') {
      if (url.pathname === '/') url.pathname = SPLUNK_PATH;
      return { kind, url: url.href };
    }
    const parts = url.pathname.split('/').filter((part) => part !== '');
    const index = parts.pop();
    if (index === undefined) return null;
    url.pathname = [...parts, '_bulk'].join('/');
    return { kind: 'elastic', url: url.href, index: decodeURIComponent(index) };
  },
);

/** A server that takes mail. With `isSecure` the connection is encrypted from its first byte. */
export interface MailServer {
  host: string;
  port: number;
  isSecure: boolean;
  user: string | undefined;
  password: string | undefined;
}

export const mailServer = shape(
  'smtp://<host>:<port> or smtps://<host>:<port>, with <user>:<password>@ where the server asks for them',
  (text): MailServer | null => {
    const url = URL.parse(text);
    if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return null;
    if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return null;
    const isSecure = url.protocol === 'smtps:';
    try {
      const [user, password] = [url.username, url.password].map(
        (part) => decodeURIComponent(part) || undefined,
      );
      return {
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
        isSecure,
        user,
        password,
      };
    } catch {
      return null;
    }
  },
);

export interface MailSender {
  name: string;
  address: string;
}

/** A bare address or one behind a name. Nothing in it can begin another header or another recipient. */
export const mailSender = shape(
  'an e-mail address such as gateway@example.com or Gateway <gateway@example.com>',
  (text): MailSender | null => {
    const [, name = '', inner] = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(text) ?? [];
    const address = inner ?? text;
    return MAIL_ADDRESS.test(address) ? { name: name.trim().replace(/^"|"$/g, ''), address } : null;
  },
);

const MAIL_ADDRESS = /^[^\s@\p{Cc}\p{Cf},;:<>()"\\[\]]+@[^\s@\p{Cc}\p{Cf},;:<>()"\\[\]]+$/u;

const Instances = z.record(
  z.string(),
  z.strictObject({ clientId: z.string().min(1), clientSecret: z.string().min(1).optional() }),
);

/** Reads `<NAME>_CLIENT_ID`, `<NAME>_CLIENT_SECRET` and `<NAME>_INSTANCES` of every integration. */
export function integrationClients(env: Record<string, unknown>): {
  value: IntegrationClients;
  problems: Problem[];
} {
  const value: IntegrationClients = {};
  const problems: Problem[] = [];
  const names = Object.keys(env).flatMap(
    (variable) => /^([A-Z][A-Z0-9_]*)_(?:CLIENT_ID|INSTANCES)$/.exec(variable)?.[1] ?? [],
  );
  for (const name of new Set(names)) {
    if (name === 'HOSTED' || name === 'IDP') continue;
    const clientId = env[`${name}_CLIENT_ID`];
    const secret = env[`${name}_CLIENT_SECRET`];
    const given = env[`${name}_INSTANCES`];
    if (typeof clientId !== 'string') {
      // A plain number of instances belongs to other software.
      if (typeof given !== 'string' || /^\s*\d+\s*$/.test(given)) continue;
      problems.push({ name: `${name}_CLIENT_ID`, message: `must be set where ${name}_INSTANCES is` });
    }
    const instances = readInstances(given);
    if (instances === null) {
      problems.push({
        name: `${name}_INSTANCES`,
        message: 'must be JSON: {"<origin>": {"clientId": "…", "clientSecret": "…"}}',
      });
    }
    if (typeof clientId !== 'string') continue;
    value[name.toLowerCase()] = {
      clientId,
      clientSecret: typeof secret === 'string' ? secret : undefined,
      instances: instances ?? {},
    };
  }
  return { value, problems };
}

function readInstances(text: unknown): Record<string, IntegrationClient> | null {
  if (typeof text !== 'string') return {};
  try {
    const parsed = Instances.safeParse(JSON.parse(text));
    return parsed.success && Object.keys(parsed.data).every((origin) => httpUrl(origin)?.origin === origin)
      ? parsed.data
      : null;
  } catch {
    return null;
  }
}
