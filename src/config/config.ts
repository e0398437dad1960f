// Parses the environment once, and names every wrong value in one message. Nothing else reads the environment. On Node,
// adapters/node/secret-files.ts first adds the secrets that are in files.
import * as z from 'zod';
import { ConfigError, type Problem } from './config-error.ts';
import * as fields from './config-fields.ts';
import { findMisspelt, hintOf, type Misspelt } from './misspelt.ts';
import { readTelemetry, TELEMETRY_VARIABLES, type TelemetryConfig } from './telemetry.ts';

const text = z.string();

/** The addresses at which well-known MCP clients receive their codes. decision: 021 */
const WELL_KNOWN_CALLBACKS = [
  'https://claude.ai/api/mcp/auth_callback',
  'https://claude.com/api/mcp/auth_callback',
  'https://chatgpt.com/connector_platform_oauth_redirect',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'cursor://anysphere.cursor-retrieval/oauth/callback',
];

// An answer over plain http from another host proves nobody's identity. decision: 016
const issuer = fields.httpAddress.refine(
  (url) => !url.startsWith('http:') || isLoopbackHost(new URL(url).hostname),
  'must be an https URL: http is for issuers on loopback only',
);

const rootUrl = fields.baseUrl.refine(
  (url) => new URL(url).pathname === '/',
  'must be an address without a path: the gateway cannot serve below one, so give it a host name or a port of its own',
);

const Environment = z.object({
  PORT: fields.whole(1, 65_535).default(3000),
  HOST: fields.listenAddress.optional(),
  WORKERS: fields.workers.default(1),
  SERVER_PUBLIC_URL: rootUrl.optional(),
  PORTAL_URL: fields.baseUrl.optional(),
  // The secret is not trimmed, because its exact bytes sign.
  SESSION_SECRET: text.optional(),
  ENCRYPTION_KEY: fields.encryptionKey.optional(),
  ENCRYPTION_KEY_PREVIOUS: fields.encryptionKey.optional(),
  VAULT_ADDR: fields.baseUrl.optional(),
  VAULT_NAMESPACE: text.optional(),
  VAULT_TOKEN: text.optional(),
  VAULT_ROLE_ID: text.optional(),
  VAULT_SECRET_ID: text.optional(),
  VAULT_KUBERNETES_ROLE: text.optional(),
  AWS_REGION: text.optional(),
  AWS_ENDPOINT_URL_KMS: fields.baseUrl.optional(),
  AWS_ACCESS_KEY_ID: text.optional(),
  AWS_SECRET_ACCESS_KEY: text.optional(),
  AWS_SESSION_TOKEN: text.optional(),
  CONNECT_TTL_SECONDS: fields.whole(1, 86_400).default(600),
  OAUTH_ACCESS_TOKEN_TTL_SECONDS: fields.whole(1, 86_400).default(3600),
  HOSTED_CLIENT_ID: text.optional(),
  HOSTED_CLIENT_SECRET: text.optional(),
  HOSTED_ISSUER_URL: issuer.default('https://accounts.google.com'),
  HOSTED_ADMIN_GROUP: fields.groupNames.optional(),
  HOSTED_MEMBER_GROUP: fields.groupNames.optional(),
  HOSTED_GROUPS_CLAIM: text.optional(),
  IDP_ISSUER_URL: issuer.optional(),
  IDP_CLIENT_ID: text.optional(),
  IDP_CLIENT_SECRET: text.optional(),
  IDP_EMAIL_TRUSTED: fields.flag.default(true),
  IDP_ADMIN_GROUP: fields.groupNames.optional(),
  IDP_MEMBER_GROUP: fields.groupNames.optional(),
  IDP_GROUPS_CLAIM: text.optional(),
  SIGN_IN_ALLOW: fields.signInAllow.optional(),
  SCIM_TOKEN: text.regex(/^[!-~]{32,}$/, 'must have 32 characters or more, and no spaces').optional(),
  DATA_DIR: fields.folder.default('./data'),
  DATABASE_URL: fields.database.optional(),
  PENDING_STORE: fields.pending.optional(),
  BLOBS_URL: fields.blobs.optional(),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  AUDIT_LOG_DEST: fields.oneOf(['database', 'stdout', 'none']).default('database'),
  LOG_LEVEL: fields.oneOf(['debug', 'info', 'warn', 'error']).default('info'),
  AUDIT_SIGNING_KEY: fields.hexKey.optional(),
  AUDIT_HEADS: fields.auditHeads.optional(),
  AUDIT_PUSH: fields.auditPush.optional(),
  AUDIT_PUSH_TOKEN: text.optional(),
  AUDIT_KEEP_DAYS: fields.whole(1, 36_500).optional(),
  CALL_DETAILS: fields.flag.default(true),
  OAUTH_CONSENT: fields.oneOf(['untrusted', 'always', 'never']).optional(),
  OAUTH_TRUSTED_HOSTS: fields.receivers.default(WELL_KNOWN_CALLBACKS),
  OAUTH_CIMD: fields.flag.optional(),
  EVENTS_PREVIEW: fields.flag.default(false),
  MCP_ALLOWED_ORIGINS: fields.origins.default([]),
  MCP_SERVERS: text.optional(),
  MCP_SERVERS_MAX_PROCESSES: fields.whole(1, 1_000).default(50),
  MICROSOFT_TENANT: fields.tenant.default('common'),
  EGRESS_ALLOW: fields.places.default([]),
  UPSTREAM_MAP: fields.originMap.default([]),
  JOTS_ORIGIN: fields.singleOrigin.optional(),
  JOT_THUMBNAILS: fields.flag.default(true),
  JOT_MAX_BYTES: fields.whole(1, 2 ** 40).default(50 * 1024 * 1024),
  JOT_MAX_FILES: fields.whole(1, 100_000).default(2_000),
  JOT_MAX_UPLOAD_BYTES: fields.whole(1, 2 ** 40).default(25 * 1024 * 1024),
  APPROVAL_TTL_SECONDS: fields.whole(1, 7 * 24 * 3_600).default(3_600),
  OUTSIDE_MINUTES: fields.whole(1, 24 * 60).default(10),
  PERSON_MAX_CALLS: fields.whole(1, 1_000_000).default(1_000),
  PERSON_CALLS_PER_MINUTE: fields.whole(1, 1_000_000).optional(),
  SERVICE_KEY_MAX_ACTORS: fields.whole(1, 100_000_000).default(100_000),
  SERVICE_KEY_MAX_CALLS: fields.whole(1, 1_000_000).default(1_000),
  PERSON_MAX_PENDING: fields.whole(1, 1_000).default(20),
  PERSON_MAX_JOTS: fields.whole(1, 1_000_000).default(200),
  PERSON_MAX_JOT_BYTES: fields.whole(1, 2 ** 50).default(2 * 1024 ** 3),
  PERSON_MAX_RESULT_BYTES: fields.whole(1, 2 ** 50).default(256 * 1024 ** 2),
  PERSON_MAX_FILE_BYTES: fields.whole(1, 2 ** 50).default(1024 ** 3),
  METRICS_TOKEN: text.optional(),
  SMTP_URL: fields.mailServer.optional(),
  MAIL_FROM: fields.mailSender.optional(),
  TRUST_PROXY: fields.flag.default(false),
  CONNECT_CONFIRM: fields.oneOf(['unbound', 'never']).optional(),
  CONNECT_VIA: fields.oneOf(['provider', 'portal']).default('provider'),
  BROWSER_URL: fields.debuggingUrl.optional(),
  BROWSER_PROXY_URL: fields.singleOrigin.optional(),
  CHROMIUM_PATH: text.optional(),
  CHROMIUM_SANDBOX: fields.flag.default(true),
  NODE_ORIGIN: fields.baseUrl.optional(),
  SCRIPTS: fields.flag.default(true),
  FAST_PATH: fields.flag.default(true),
  TRACE_UPSTREAM: fields.integrationNames.default([]),
});

/** The variables of the gateway itself, without those of integrations. */
const VARIABLES: readonly string[] = [...Object.keys(Environment.shape), ...TELEMETRY_VARIABLES];

export const isVariable = (name: string): boolean => VARIABLES.includes(name);

/** The variables whose value can be in a file. The address of a database or of Redis contains its password. */
const SECRETS: ReadonlySet<string> = new Set([
  'SESSION_SECRET',
  'ENCRYPTION_KEY',
  'ENCRYPTION_KEY_PREVIOUS',
  'VAULT_TOKEN',
  'VAULT_SECRET_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AUDIT_SIGNING_KEY',
  'DATABASE_URL',
  'PENDING_STORE',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'METRICS_TOKEN',
  'SCIM_TOKEN',
  'AUDIT_PUSH',
  'AUDIT_PUSH_TOKEN',
  'SMTP_URL',
  'BROWSER_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_METRICS_HEADERS',
]);

/** Tells whether a variable holds a secret. The client secrets of sign-in providers and integrations have one ending. */
export const isSecretVariable = (name: string): boolean =>
  SECRETS.has(name) || name.endsWith('_CLIENT_SECRET');

/** Finds variables whose names are probably misspelt: a wrong name would otherwise be ignored without a word. */
export const misspeltVariables = (env: Env): Misspelt[] => findMisspelt(env, VARIABLES);

type Environment = z.infer<typeof Environment>;
export type Env = Readonly<Record<string, string | undefined>>;

export interface Config extends Environment {
  /** The address to listen on; `::` means all. decision: 009 */
  HOST: string;
  SERVER_PUBLIC_URL: string;
  PORTAL_URL: string;
  SESSION_SECRET: string;
  /** Node's adapter puts the data key in the place of a key elsewhere. */
  ENCRYPTION_KEY: string | fields.OutsideKey;
  DATABASE_URL: fields.Database;
  PENDING_STORE: fields.PendingStore;
  BLOBS_URL: fields.BlobsLocation;
  OAUTH_CONSENT: 'untrusted' | 'always' | 'never';
  OAUTH_CIMD: boolean;
  CONNECT_CONFIRM: 'unbound' | 'never';
  /** True when the base URL is on loopback: the gateway runs on a person's own machine. */
  loopback: boolean;
  /** The OAuth clients of integrations, by integration name. */
  clients: fields.IntegrationClients;
  /** Null where no traces and metrics are exported. */
  telemetry: TelemetryConfig | null;
}

/** Only a Node gateway can ask another service for a key. It has put the data key in its place. decision: 072 */
export function requireHexKey(key: Config['ENCRYPTION_KEY']): string {
  if (typeof key === 'string') return key;
  throw new ConfigError([{ name: 'ENCRYPTION_KEY', message: 'must be 64 hex characters here' }]);
}

type SecretName = 'SESSION_SECRET' | 'ENCRYPTION_KEY' | 'AUDIT_SIGNING_KEY';

/**
 * `localSecret` makes or finds a secret for a gateway on loopback. It runs only when everything else is valid. For the key
 * of the audit log it may return an empty text. `unread` lists the files of secrets that could not be read.
 */
export function readConfig(
  env: Env,
  localSecret: (name: SecretName, dataDir: string) => string,
  unread: readonly Problem[] = [],
): Config {
  // Compose files spell an absent variable as an empty one. A value read from a file ends with a line break.
  const given = Object.fromEntries(
    Object.entries(env)
      .map(([name, value = '']) => [name, name === 'SESSION_SECRET' ? value : value.trim()])
      .filter(([, value]) => value !== ''),
  );
  const parsed = Environment.safeParse(given);
  const clients = fields.integrationClients(given);
  const telemetry = readTelemetry(given);
  const problems: Problem[] = [
    ...clients.problems,
    ...weakSecrets(given),
    ...checkJotsOrigin(given),
    ...missingBucketKeys(given),
    ...checkAuditPush(given),
    ...missingForOutsideKeys(given),
    ...checkGroups(given),
    ...checkPendingStore(given),
    ...checkMail(given),
    ...checkBrowser(given),
    ...telemetry.problems,
  ];
  for (const issue of parsed.error?.issues ?? [])
    problems.push({ name: String(issue.path[0]), message: issue.message });
  if (!parsed.success || problems.length > 0 || unread.length > 0) {
    // A secret whose file cannot be read is absent. One line about it is enough.
    const others = problems.filter(({ name }) => !unread.some((one) => one.name === `${name}_FILE`));
    throw new ConfigError([
      ...unread,
      ...others,
      ...misspeltVariables(env)
        .filter(({ isMeantSet }) => !isMeantSet)
        .map(toProblem),
    ]);
  }

  const values = parsed.data;
  const base = values.SERVER_PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  const { hostname } = new URL(base);
  const loopback = isLoopbackHost(hostname);

  // Elsewhere nothing is sealed without a key: processes that draw their own would not know each other's. decision: 039
  const localAuditKey = () =>
    loopback && values.AUDIT_LOG_DEST === 'database'
      ? localSecret('AUDIT_SIGNING_KEY', values.DATA_DIR) || undefined
      : undefined;
  const database = values.DATABASE_URL ?? { kind: 'sqlite', path: `${values.DATA_DIR}/service.db` };
  const isSmall = database.kind === 'sqlite' && values.WORKERS === 1;
  return {
    ...values,
    HOST: values.HOST ?? (loopback ? loopbackAddress(hostname) : '::'),
    SERVER_PUBLIC_URL: base,
    PORTAL_URL: values.PORTAL_URL ?? base,
    SESSION_SECRET: values.SESSION_SECRET ?? localSecret('SESSION_SECRET', values.DATA_DIR),
    ENCRYPTION_KEY: values.ENCRYPTION_KEY ?? localSecret('ENCRYPTION_KEY', values.DATA_DIR),
    AUDIT_SIGNING_KEY: values.AUDIT_SIGNING_KEY ?? localAuditKey(),
    DATABASE_URL: database,
    PENDING_STORE: values.PENDING_STORE ?? { kind: isSmall ? 'memory' : 'database' },
    BLOBS_URL: values.BLOBS_URL ?? { kind: 'fs', path: `${values.DATA_DIR}/blobs` },
    OAUTH_CONSENT: values.OAUTH_CONSENT ?? (base.startsWith('https:') ? 'untrusted' : 'never'),
    OAUTH_CIMD: values.OAUTH_CIMD ?? base.startsWith('https:'),
    CONNECT_CONFIRM: values.CONNECT_CONFIRM ?? (base.startsWith('https:') ? 'unbound' : 'never'),
    loopback,
    clients: clients.value,
    telemetry: telemetry.value,
  };
}

function toProblem(misspelt: Misspelt): Problem {
  return { name: misspelt.variable, message: `is unknown: ${hintOf(misspelt)}` };
}

/** On loopback, secrets are generated or may be simple. Elsewhere the operator must set strong ones. decision: 009 */
function weakSecrets(given: Env): Problem[] {
  const base = fields.baseUrl.safeParse(given['SERVER_PUBLIC_URL']);
  if (!base.success || isLoopbackHost(new URL(base.data).hostname)) return [];
  return Object.entries(fields.STRONG).flatMap(([name, { expected, isWeak }]) => {
    const value = given[name];
    if (value === undefined) return { name, message: `must be set to ${expected}` };
    return isWeak(value) ? { name, message: `must be ${expected}` } : [];
  });
}

// Pages of jots may use this origin as their own. On the portal's origin they could read its session. Off loopback
// another port is not enough, because a host's cookies belong to all of its ports. RFC 6265 §8.5
function checkJotsOrigin(given: Env): Problem[] {
  const jots = fields.singleOrigin.safeParse(given['JOTS_ORIGIN']).data;
  if (jots === undefined) return [];
  const { hostname } = new URL(jots);
  const base = given['SERVER_PUBLIC_URL'] ?? `http://localhost:${given['PORT'] ?? 3000}`;
  const taken = [base, given['PORTAL_URL']].some((place) => {
    const address = fields.baseUrl.safeParse(place).data;
    if (address === undefined) return false;
    const url = new URL(address);
    return url.origin === jots || (url.hostname === hostname && !isLoopbackHost(hostname));
  });
  return taken
    ? [{ name: 'JOTS_ORIGIN', message: 'must be on another host than SERVER_PUBLIC_URL and PORTAL_URL' }]
    : [];
}

function missingBucketKeys(given: Env): Problem[] {
  const places = {
    BLOBS_URL: fields.blobs,
    AUDIT_HEADS: fields.auditHeads,
    AUDIT_PUSH: fields.auditPush,
  };
  const [bucket] = Object.entries(places).filter(
    ([name, place]) => place.safeParse(given[name]).data?.kind === 's3',
  );
  if (bucket === undefined) return [];
  const variable = bucket[0];
  return ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
    .filter((name) => given[name] === undefined)
    .map((name) => ({ name, message: `must be set for a ${variable} that is a bucket` }));
}

/** A key elsewhere needs an address, and something that proves who asks. */
function missingForOutsideKeys(given: Env): Problem[] {
  const named = ['ENCRYPTION_KEY', 'ENCRYPTION_KEY_PREVIOUS'].flatMap((name) => {
    const key = fields.encryptionKey.safeParse(given[name]).data;
    return typeof key === 'object' ? [{ name, key }] : [];
  });
  const problems = named.flatMap(({ name, key }): Problem[] => {
    const must = (variable: string) => ({
      name: variable,
      message: `must be set for the ${name} of this kind`,
    });
    const isUnset = (variable: string) => given[variable] === undefined;
    if (key.service === 'vault') {
      const ways = [['VAULT_TOKEN'], ['VAULT_ROLE_ID', 'VAULT_SECRET_ID'], ['VAULT_KUBERNETES_ROLE']];
      const message = `must be set for the ${name} of this kind, or VAULT_ROLE_ID and VAULT_SECRET_ID, or VAULT_KUBERNETES_ROLE`;
      return [
        ...['VAULT_ADDR'].filter(isUnset).map(must),
        ...(ways.some((way) => !way.some(isUnset)) ? [] : [{ name: 'VAULT_TOKEN', message }]),
      ];
    }
    const hasRegion = key.keyId.startsWith('arn:');
    return ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', ...(hasRegion ? [] : ['AWS_REGION'])]
      .filter(isUnset)
      .map(must);
  });
  return problems.filter(({ name }, at) => problems.findIndex((one) => one.name === name) === at);
}

/** Rows are sent once they are sealed. On loopback there is a key without asking for it. */
function checkAuditPush(given: Env): Problem[] {
  const { AUDIT_PUSH, AUDIT_PUSH_TOKEN, AUDIT_LOG_DEST = 'database', AUDIT_SIGNING_KEY } = given;
  if (AUDIT_PUSH === undefined)
    return AUDIT_PUSH_TOKEN === undefined
      ? []
      : [{ name: 'AUDIT_PUSH_TOKEN', message: 'has no use without AUDIT_PUSH' }];
  if (AUDIT_LOG_DEST !== 'database')
    return [{ name: 'AUDIT_PUSH', message: 'sends the rows of AUDIT_LOG_DEST=database only' }];
  const base = fields.baseUrl.safeParse(given['SERVER_PUBLIC_URL']);
  const isLocal = !base.success || isLoopbackHost(new URL(base.data).hostname);
  return isLocal || AUDIT_SIGNING_KEY !== undefined
    ? []
    : [{ name: 'AUDIT_SIGNING_KEY', message: 'must be set for AUDIT_PUSH, which sends sealed rows' }];
}

/** A mail needs a server and a sender. */
function checkMail(given: Env): Problem[] {
  const names = ['SMTP_URL', 'MAIL_FROM'];
  const missing = names.filter((name) => given[name] === undefined);
  if (missing.length !== 1) return [];
  const [set] = names.filter((name) => given[name] !== undefined);
  return missing.map((name) => ({ name, message: `must be set where ${set} is` }));
}

/** A browser on another machine does not reach a proxy on loopback. */
function checkBrowser(given: Env): Problem[] {
  const { BROWSER_URL, BROWSER_PROXY_URL } = given;
  if (BROWSER_URL === undefined)
    return BROWSER_PROXY_URL === undefined
      ? []
      : [{ name: 'BROWSER_PROXY_URL', message: 'has no use without BROWSER_URL' }];
  const url = fields.debuggingUrl.safeParse(BROWSER_URL).data;
  if (BROWSER_PROXY_URL !== undefined)
    return BROWSER_PROXY_URL.startsWith('https:')
      ? [{ name: 'BROWSER_PROXY_URL', message: 'must begin with http: the proxy has no certificate' }]
      : [];
  return url === undefined || isLoopbackHost(new URL(url).hostname)
    ? []
    : [
        {
          name: 'BROWSER_PROXY_URL',
          message:
            'must be set to the address by which that browser reaches this gateway, such as http://gateway:3128',
        },
      ];
}

/** An agent may ask one process for a connection and wait at another. decision: 010 */
function checkPendingStore(given: Env): Problem[] {
  const workers = fields.workers.safeParse(given['WORKERS']).data ?? 1;
  return workers !== 1 && given['PENDING_STORE'] === 'memory'
    ? [{ name: 'PENDING_STORE', message: 'must be database or redis://<host>:<port> with several WORKERS' }]
    : [];
}

const PROVIDERS = {
  hosted: ['HOSTED_CLIENT_ID', 'HOSTED_CLIENT_SECRET'],
  idp: ['IDP_ISSUER_URL', 'IDP_CLIENT_ID', 'IDP_CLIENT_SECRET'],
};

/** A rule about groups that nobody applies would let people in whom the operator meant to keep out. */
const checkGroups = (given: Env): Problem[] =>
  Object.entries(PROVIDERS).flatMap(([provider, needed]) => {
    const missing = needed.filter((name) => given[name] === undefined);
    if (missing.length === 0) return [];
    const where = provider === 'idp' ? 'the idp' : 'the hosted provider';
    return ['ADMIN_GROUP', 'MEMBER_GROUP', 'GROUPS_CLAIM']
      .map((ending) => `${provider.toUpperCase()}_${ending}`)
      .filter((name) => given[name] !== undefined)
      .map((name) => ({ name, message: `counts at ${where} only: set ${missing.join(' and ')} too` }));
  });

/** The address of a loopback host. A name may also resolve to ::1, and clients then try 127.0.0.1 as well. */
function loopbackAddress(hostname: string): string {
  if (hostname === '[::1]') return '::1';
  return /^[\d.]+$/.test(hostname) ? hostname : '127.0.0.1';
}

export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}
