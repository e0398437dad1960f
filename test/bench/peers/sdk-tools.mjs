// The synthetic tools for servers that are code: what to list, and the one request that a call is. Runs beside the peers.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [, , catalog, upstream, token, port] = process.argv;
const rows = JSON.parse(readFileSync(catalog, 'utf8'));
const byName = new Map(rows.map((row) => [row.tool.name, row]));

/** A server and a transport for each request, as the SDK's documentation makes a stateless one. */
export function serve(open, Transport) {
  createServer(async (request, response) => {
    const server = open();
    // Without a session, and with the answer in one piece: its fastest way.
    const transport = new Transport({ sessionIdGenerator: undefined, enableJsonResponse: true });
    response.on('close', () => void Promise.all([transport.close(), server.close()]));
    await server.connect(transport);
    await transport.handleRequest(request, response);
  }).listen(Number(port), '127.0.0.1');
}

export const list = () => ({ tools: rows.map(({ tool }) => tool) });

export async function call({ params: { name, arguments: args = {} } }) {
  const row = byName.get(name);
  if (row === undefined) throw new Error(`There is no tool ${name}`);
  if (row.path === undefined) return text(new Date().toISOString());
  const body = { ...args };
  const path = row.path.replace(/\{(\w+)\}/g, (_, key) => {
    delete body[key];
    return encodeURIComponent(args[key]);
  });
  const answer = await fetch(`${upstream}${path}`, {
    method: row.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return text(await answer.text());
}

const text = (value) => ({ content: [{ type: 'text', text: value }] });
