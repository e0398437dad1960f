// An MCP server of the older era that answers as a test says, byte by byte. What a test does not say, it answers well.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { startHttpServer } from './http-server.ts';

export interface Message {
  jsonrpc: '2.0';
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string };
}

export interface Exchange {
  message: Message;
  request: IncomingMessage;
  response: ServerResponse;
  /** Answers with one result as JSON. */
  result(result: unknown): void;
  /** Begins a stream of events, and returns what writes one. */
  stream(): (message: object) => void;
}

export type Script = Record<string, (exchange: Exchange) => unknown>;

export interface ScriptedServer {
  address: string;
  port: number;
  /** Every message that arrived, and `GET` or `DELETE` for a request without one. */
  messages: (Message & { http: string })[];
  /** Replaces the script. */
  play(script: Script): void;
  close(): Promise<void>;
}

const NAMES: Script = {
  'server/discover': ({ message, response }) =>
    json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32_601, message: 'Method not found' } }),
  initialize: ({ result }) =>
    result({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'scripted', version: '1.0.0' },
    }),
  'tools/list': ({ result }) => result({ tools: [{ name: 'tool', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ result }) => result({ content: [{ type: 'text', text: 'done' }] }),
  GET: ({ response }) => response.writeHead(405).end(),
  DELETE: ({ response }) => response.writeHead(204).end(),
};

/** `onBody` sees each body as it arrived. */
export async function startScripted(
  script: Script = {},
  onBody: (text: string) => void = () => {},
): Promise<ScriptedServer> {
  let current = script;
  const messages: ScriptedServer['messages'] = [];
  const server = await startHttpServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method: http = '' } = request;
    const body = await readText(request);
    onBody(body);
    const message: Message = body === '' ? { jsonrpc: '2.0' } : JSON.parse(body);
    messages.push({ ...message, http });
    const name = http === 'POST' ? (message.method ?? 'response') : http;
    const act = current[name] ?? NAMES[name] ?? (() => response.writeHead(202).end());
    await act({
      message,
      request,
      response,
      result: (result) => json(response, { jsonrpc: '2.0', id: message.id, result }),
      stream() {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        return (each) => void response.write(`data: ${JSON.stringify(each)}\n\n`);
      },
    });
  }

  return {
    address: `http://127.0.0.1:${server.port}/mcp`,
    port: server.port,
    messages,
    play: (next) => (current = next),
    close: () => server.close(),
  };
}

/** Sends notifications on the stream, as fast as they are read, until the client leaves. */
export function flood({ response, stream }: Pick<Exchange, 'response' | 'stream'>): void {
  stream();
  const event = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: {} })}\n\n`;
  const send = () => {
    while (!response.destroyed && response.write(event.repeat(100)));
    if (!response.destroyed) response.once('drain', send);
  };
  send();
}

export function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
