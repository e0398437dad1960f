// Lists the servers and the ways to authenticate that imports are tested with. The test and the table of
// docs/mcp-servers.md are made of it.
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type ImportProvider, startImportProvider } from './import-provider.ts';
import { official } from './local-servers.ts';
import { type Gate, HTTP_SERVERS, type ServerKind, type StartedServer } from './mcp-servers.ts';
import { BASE } from './test-app.ts';

export const NAME = 'acme';
export const TOKEN = 'the-token-of-ana';
export const CLIENT = { clientId: 'given', clientSecret: 'a secret & more' };

/** How an import comes into the gateway, and how a person connects it. */
export type Way = 'none' | 'token' | 'registration' | 'document' | 'given' | 'operator' | 'operator-field';

export const WAYS: Readonly<Record<Way, string>> = {
  none: 'No credential',
  token: 'Token in a header',
  registration: 'Sign-in, registered client',
  document: 'Sign-in, client document',
  given: 'Sign-in, own client',
  operator: "Operator's file",
  'operator-field': "Operator's file with `${field}`",
};

/** A tool that shows that the server was reached, and whose value it has. */
export interface Probe {
  tool: string;
  args: object;
  /** A part of the result, as JSON. */
  shows: string;
}

/** An entry of the operator's file, in a folder of the test. */
interface LocalEntry {
  entry: object;
  probe: Probe;
  values: Readonly<Record<string, string>>;
}

export interface MatrixServer {
  name: string;
  transport: ServerKind['transport'];
  era: ServerKind['era'];
  start: ((gate?: Gate) => Promise<StartedServer>) | null;
  /** Only for stdio. */
  local: ((way: Way, folder: string) => LocalEntry) | null;
  probe: Probe;
}

const ECHO: Probe = { tool: 'echo', args: { message: 'hello' }, shows: 'Echo: hello' };

const TRANSPORTS = { 'streamable-http': 'Streamable HTTP', sse: 'HTTP+SSE', stdio: 'stdio' };
const ERAS = { legacy: '2025', modern: '2026-07-28' };

/** Starts a fixture of the tests as a program. */
const fixture = (name: string) => ({
  command: process.execPath,
  args: [join(import.meta.dirname, `${name}.ts`)],
});

const withWord = (entry: object) => (way: Way) =>
  way === 'operator-field'
    ? {
        entry: { ...entry, env: { ECHO_WORD: '${word}' } },
        probe: { ...ECHO, shows: 'Ana: hello' },
        values: { word: 'Ana' },
      }
    : { entry, probe: ECHO, values: {} };

const LOCAL_SERVERS: readonly Omit<MatrixServer, 'transport' | 'start' | 'probe'>[] = [
  { name: 'SDK v1', era: 'legacy', local: withWord(fixture('mcp-stdio-v1')) },
  { name: 'SDK v2', era: 'modern', local: withWord(fixture('mcp-stdio-v2')) },
  {
    name: 'server-everything',
    era: 'legacy',
    local: (way) =>
      way === 'operator-field'
        ? {
            entry: { ...official('everything'), env: { ACCOUNT: '${account}' } },
            probe: { tool: 'get_env', args: {}, shows: 'account of ana' },
            values: { account: 'account of ana' },
          }
        : { entry: official('everything'), probe: ECHO, values: {} },
  },
  {
    name: 'server-filesystem',
    era: 'legacy',
    local: (way, folder) => ({
      entry: official('filesystem', way === 'operator-field' ? '${folder}' : folder),
      probe: { tool: 'read_text_file', args: { path: join(folder, 'note.txt') }, shows: 'a note' },
      values: way === 'operator-field' ? { folder } : {},
    }),
  },
  {
    name: 'server-memory',
    era: 'legacy',
    local: (way, folder) => {
      const file = join(folder, way === 'operator-field' ? '${person}.json' : 'memory.json');
      return {
        entry: { ...official('memory'), env: { MEMORY_FILE_PATH: file } },
        probe: {
          tool: 'create_entities',
          args: { entities: [{ name: 'Ana', entityType: 'person', observations: ['likes tea'] }] },
          shows: 'likes tea',
        },
        values: way === 'operator-field' ? { person: 'ana' } : {},
      };
    },
  },
];

export const SERVERS: readonly MatrixServer[] = [
  ...HTTP_SERVERS.map(({ name, transport, era, start }) => ({
    name: name.replace(/ over (Streamable HTTP|HTTP\+SSE)$/, ''),
    transport,
    era,
    start,
    local: null,
    probe: ECHO,
  })),
  ...LOCAL_SERVERS.map((server) => ({ ...server, transport: 'stdio' as const, start: null, probe: ECHO })),
];

export interface Cell {
  server: MatrixServer;
  way: Way;
  /** For the name of the test. */
  name: string;
}

const isPossible = ({ transport }: MatrixServer, way: Way): boolean =>
  transport !== 'stdio' || way === 'operator' || way === 'operator-field';

// The keys of WAYS are those of its type.
const ALL_WAYS = Object.keys(WAYS) as Way[];

export const CELLS: readonly Cell[] = SERVERS.flatMap((server) =>
  ALL_WAYS.filter((way) => isPossible(server, way)).map((way) => ({
    server,
    way,
    name: `${server.name} over ${TRANSPORTS[server.transport]}, ${WAYS[way]}`,
  })),
);

/** The table of the documentation. */
export function drawTable(): string {
  const rows = SERVERS.map((server) => [
    server.name,
    TRANSPORTS[server.transport],
    ERAS[server.era],
    ...ALL_WAYS.map((way) => (isPossible(server, way) ? 'yes' : '–')),
  ]);
  const head = ['Server', 'Transport', 'Era', ...Object.values(WAYS)];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Lets requests through that carry the token. */
export const tokenGate =
  (token: string): Gate =>
  ({ headers }) =>
    headers.authorization === `Bearer ${token}`
      ? null
      : { status: 401, headers: { 'www-authenticate': 'Bearer' } };

export interface SignInGate {
  gate: Gate;
  provider: ImportProvider;
  /** The address of the server, which is known only after it was started behind the gate. */
  protect(address: string): void;
}

/** A provider, and a gate in front of a server that asks the provider about each token. RFC 9728 */
export async function openSignIn(
  way: Way,
  fetchDocument: (url: string) => Promise<Response>,
): Promise<SignInGate> {
  const provider = await startImportProvider({
    registration: way === 'registration',
    ...(way === 'document' ? { fetchDocument } : {}),
    clients:
      way === 'given'
        ? [
            {
              client_id: CLIENT.clientId,
              client_secret: CLIENT.clientSecret,
              redirect_uris: [`${BASE}/api/auth/plugin/${NAME}/callback`],
              token_endpoint_auth_method: 'client_secret_basic',
            },
          ]
        : [],
  });
  let resource = '';

  async function isGood({ headers }: IncomingMessage): Promise<boolean> {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    const found = token === undefined ? undefined : await provider.find(token);
    return [found?.aud ?? []].flat().includes(resource);
  }

  return {
    provider,
    protect: (address) => (resource = address),
    async gate(request) {
      const { origin, pathname } = new URL(resource);
      const metadata = `/.well-known/oauth-protected-resource${pathname}`;
      if (request.url === metadata) {
        const document = {
          resource,
          authorization_servers: [provider.issuer],
          scopes_supported: ['files:read'],
        };
        return {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(document),
        };
      }
      if (await isGood(request)) return null;
      const challenge = `Bearer resource_metadata="${origin}${metadata}", scope="files:read"`;
      return { status: 401, headers: { 'www-authenticate': challenge } };
    },
  };
}
