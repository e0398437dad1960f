// Holds one agent's conversation with a server: the handshake, and calls whose responses are checked.
export interface Ask {
  method: 'tools/list' | 'tools/call';
  params: object;
  /** Only a correct response matches this pattern. */
  proof: RegExp;
}

export interface Conversation {
  url: string;
  headers: Record<string, string>;
}

export type Answer = { ok: true; body: string } | { ok: false; why: string };

const PATIENCE_MS = 60_000;
/** Every peer speaks this protocol version. */
const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1.0.0' },
};

export async function converse(url: string, credentials: Record<string, string>): Promise<Conversation> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...credentials,
  };
  const hello = await post({ url, headers }, { id: 0, method: 'initialize', params: HELLO });
  const body = await hello.text();
  if (!hello.ok) throw new Error(`initialize: HTTP ${hello.status} ${body}`);
  const session = hello.headers.get('mcp-session-id');
  const conversation = {
    url,
    headers: session === null ? headers : { ...headers, 'mcp-session-id': session },
  };
  await (await post(conversation, { method: 'notifications/initialized' })).arrayBuffer();
  return conversation;
}

let asked = 0;

export async function ask(conversation: Conversation, { method, params, proof }: Ask): Promise<Answer> {
  try {
    const response = await post(conversation, { id: ++asked, method, params });
    const body = await response.text();
    if (!response.ok) return { ok: false, why: `HTTP ${response.status}, ${reason(body)}` };
    return proof.test(body) ? { ok: true, body } : { ok: false, why: reason(body) };
  } catch (error) {
    return { ok: false, why: String(error) };
  }
}

/** Returns the error message of a response, or the start of its body. */
const reason = (body: string): string => /"message":"([^"]+)"/.exec(body)?.[1] ?? body.slice(0, 120);

/**
 * Makes the body for a load tool, with a new id in each request, because a session matches responses by id.
 */
export function repeatable({ method, params }: Ask): string {
  return JSON.stringify({ jsonrpc: '2.0', id: '[<id>]', method, params });
}

function post({ url, headers }: Conversation, message: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
}

/** Posts JSON to set up a server outside MCP. */
export async function postJson(
  url: string,
  value: object,
  headers: Record<string, string> = {},
): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  });
  if (!answer.ok) throw new Error(`${url}: HTTP ${answer.status} ${await answer.text()}`);
}
