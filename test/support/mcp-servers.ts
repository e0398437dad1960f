// Starts real MCP servers: each transport, each era, each generation of the SDK. A front in this process records their
// requests and can ask for a credential.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  type IncomingMessage,
  request as sendHttp,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import {
  createMcpHandler,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { startHttpServer } from './http-server.ts';
import { freePort } from './listen.ts';
import { createLocalProcesses, type LocalProcesses } from './local-processes.ts';
import { listed, run } from './mcp-tools.ts';
import { waitUntil } from './wait.ts';

export interface Recorded {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** The JSON-RPC method, when the body names one. */
  rpc: string | undefined;
}

interface GateAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** Returns null to let a request through, or the gate's own answer. */
export type Gate = (request: IncomingMessage) => GateAnswer | null | Promise<GateAnswer | null>;

export interface StartedServer {
  /** What a person enters. */
  address: string;
  origin: string;
  /** The requests that arrived, for HTTP. */
  requests: Recorded[];
  /** The processes of a `stdio:` address. */
  processes: LocalProcesses | null;
  /** Makes the server forget its sessions. */
  forget(): void;
  /** Makes the server tell its clients that the tools have changed. */
  changeTools(): Promise<void>;
  close(): Promise<void>;
}

export interface ServerKind {
  name: string;
  transport: 'streamable-http' | 'sse' | 'stdio';
  era: 'legacy' | 'modern';
  /** The tool that repeats a text, the text of its answer, and a tool with structured content. */
  echo: { tool: string; argument: string };
  start(gate?: Gate): Promise<StartedServer>;
}

interface Backend {
  listener: (...exchange: Parameters<RequestListener>) => unknown;
  path: string;
  forget?(): void;
  changeTools?(): void | Promise<void>;
  close(): void | Promise<void>;
}

const INFO = { name: 'test-server', version: '1.0.0' };
const CAPABILITIES = { capabilities: { tools: { listChanged: true } }, instructions: 'Use echo first' };

function makeV1(): ServerV1 {
  const server = new ServerV1(INFO, CAPABILITIES);
  server.setRequestHandler(ListToolsRequestSchema, () => listed());
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => run(params.name, params.arguments));
  return server;
}

function makeV2(): Server {
  const server = new Server(INFO, CAPABILITIES);
  server.setRequestHandler('tools/list', () => listed());
  // The results are those of the specification; the SDK checks them.
  server.setRequestHandler(
    'tools/call',
    ({ params }) => run(params.name, params.arguments) as { content: [] },
  );
  return server;
}

/** A server that keeps sessions, with the transport of either generation. */
async function withSessions(): Promise<Backend> {
  const sessions = new Map<string, { transport: StreamableHTTPServerTransport; server: ServerV1 }>();
  return {
    path: '/mcp',
    async listener(request, response) {
      const id = request.headers['mcp-session-id'];
      const known = sessions.get(String(id));
      if (known !== undefined) return known.transport.handleRequest(request, response);
      if (id !== undefined) return void response.writeHead(404).end();
      const server = makeV1();
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (sessionId) => void sessions.set(sessionId, { transport, server }),
        onsessionclosed: (sessionId) => void sessions.delete(sessionId),
      });
      // The types of the SDK are not written for exact optional properties.
      await server.connect(transport as Parameters<ServerV1['connect']>[0]);
      await transport.handleRequest(request, response);
    },
    forget: () => sessions.clear(),
    async changeTools() {
      for (const { server } of sessions.values()) await server.sendToolListChanged();
    },
    close: () => sessions.clear(),
  };
}

async function withoutSessions(): Promise<Backend> {
  return {
    path: '/mcp',
    async listener(request, response) {
      const server = makeV1();
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      response.on('close', () => void server.close());
      await server.connect(transport as Parameters<ServerV1['connect']>[0]);
      await transport.handleRequest(request, response);
    },
    close() {},
  };
}

async function oldSse(): Promise<Backend> {
  const sessions = new Map<string, { transport: SSEServerTransport; server: ServerV1 }>();
  return {
    path: '/sse',
    async listener(request, response) {
      const url = new URL(request.url ?? '/', 'http://localhost');
      if (url.pathname === '/sse' && request.method === 'GET') {
        const transport = new SSEServerTransport('/message', response);
        const server = makeV1();
        sessions.set(transport.sessionId, { transport, server });
        response.on('close', () => sessions.delete(transport.sessionId));
        return server.connect(transport);
      }
      const known = sessions.get(url.searchParams.get('sessionId') ?? '');
      if (known === undefined) return void response.writeHead(404).end();
      return known.transport.handlePostMessage(request, response);
    },
    forget: () => sessions.clear(),
    async changeTools() {
      for (const { server } of sessions.values()) await server.sendToolListChanged();
    },
    async close() {
      for (const { server } of sessions.values()) await server.close();
    },
  };
}

async function bothEras(): Promise<Backend> {
  const handler = createMcpHandler(makeV2);
  return {
    path: '/mcp',
    listener: getRequestListener((request) => handler.fetch(request)),
    changeTools: () => handler.notify.toolsChanged(),
    close: () => handler.close(),
  };
}

async function legacyV2(): Promise<Backend> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return {
    path: '/mcp',
    listener: getRequestListener(async (request) => {
      const id = request.headers.get('mcp-session-id');
      if (id !== null) return sessions.get(id)?.handleRequest(request) ?? new Response(null, { status: 404 });
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (sessionId) => void sessions.set(sessionId, transport),
      });
      await makeV2().connect(transport);
      return transport.handleRequest(request);
    }),
    forget: () => sessions.clear(),
    close: () => sessions.clear(),
  };
}

const require = createRequire(import.meta.url);
/** The programs of the official servers. */
export const PROGRAMS = {
  everything: require.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  filesystem: require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
  memory: require.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
  'sequential-thinking': require.resolve('@modelcontextprotocol/server-sequential-thinking/dist/index.js'),
};

/** Another program, with the front passing on each request. */
async function everything(mode: 'sse' | 'streamableHttp', path: string): Promise<Backend> {
  const port = await freePort();
  const child = spawn(process.execPath, [PROGRAMS.everything, mode], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  await waitUntil('the server', answers, () => `nothing on port ${port}`);
  return {
    path,
    listener(request, response) {
      const { method, url, headers } = request;
      const passed = sendHttp({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      });
      passed.on('error', () => response.destroy());
      response.on('close', () => passed.destroy());
      request.pipe(passed);
    },
    async close() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

async function recordRpc(request: IncomingMessage, recorded: Recorded): Promise<void> {
  let text = '';
  request.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    const [, rpc] = /"method":"([^"]+)"/.exec(text) ?? [];
    recorded.rpc = rpc;
  });
}

async function startHttp(open: () => Promise<Backend>, gate: Gate = () => null): Promise<StartedServer> {
  const backend = await open();
  const requests: Recorded[] = [];
  const front = await startHttpServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const recorded: Recorded = { method, path: url, headers, rpc: undefined };
    requests.push(recorded);
    const refusal = await gate(request);
    if (refusal !== null) {
      request.resume();
      response.writeHead(refusal.status, refusal.headers).end(refusal.body);
      return;
    }
    void recordRpc(request, recorded);
    backend.listener(request, response);
  }

  const origin = `http://127.0.0.1:${front.port}`;
  return {
    address: `${origin}${backend.path}`,
    origin,
    requests,
    processes: null,
    forget: () => backend.forget?.(),
    changeTools: async () => backend.changeTools?.(),
    async close() {
      await front.close();
      await backend.close();
    },
  };
}

async function startLocal(
  command: readonly string[],
  env: Record<string, string> = {},
): Promise<StartedServer> {
  const processes = createLocalProcesses({ test: command }, env);
  return {
    address: 'stdio:test',
    origin: '',
    requests: [],
    processes,
    forget() {},
    async changeTools() {},
    close: () => processes.close(),
  };
}

const ECHO = { tool: 'echo', argument: 'message' };

export const HTTP_SERVERS: readonly ServerKind[] = [
  http('SDK v1 with sessions', 'streamable-http', 'legacy', withSessions),
  http('SDK v1 without sessions', 'streamable-http', 'legacy', withoutSessions),
  http('SDK v1 over HTTP+SSE', 'sse', 'legacy', oldSse),
  http('SDK v2 in the newer era', 'streamable-http', 'modern', bothEras),
  http('SDK v2 in the older era', 'streamable-http', 'legacy', legacyV2),
  http('server-everything over Streamable HTTP', 'streamable-http', 'legacy', () =>
    everything('streamableHttp', '/mcp'),
  ),
  http('server-everything over HTTP+SSE', 'sse', 'legacy', () => everything('sse', '/sse')),
];

export const LOCAL_SERVERS: readonly ServerKind[] = [
  local('server-everything', 'legacy', [process.execPath, PROGRAMS.everything]),
  local('SDK v1', 'legacy', [process.execPath, fileURLToPath(new URL('./mcp-stdio-v1.ts', import.meta.url))]),
  local('SDK v2', 'modern', [process.execPath, fileURLToPath(new URL('./mcp-stdio-v2.ts', import.meta.url))]),
];

export const MCP_SERVERS: readonly ServerKind[] = [...HTTP_SERVERS, ...LOCAL_SERVERS];

/** Starts any local server by its command. */
export const startLocalServer = startLocal;

function http(
  name: string,
  transport: ServerKind['transport'],
  era: ServerKind['era'],
  open: () => Promise<Backend>,
): ServerKind {
  return { name, transport, era, echo: ECHO, start: (gate) => startHttp(open, gate) };
}

function local(name: string, era: ServerKind['era'], command: readonly string[]): ServerKind {
  return {
    name: `${name} over stdio`,
    transport: 'stdio',
    era,
    echo: ECHO,
    start: () => startLocal(command),
  };
}
