// Lists the synthetic tools and sends the request of a call, for servers written in code. Runs next to the
// installed peers.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [, , catalog, upstream, token, port] = process.argv;
const rows = JSON.parse(readFileSync(catalog, 'utf8'));
const byName = new Map(rows.map((row) => [row.tool.name, row]));

/**
 * Makes a server and a transport for each request, as the SDK's documentation does for a stateless server.
 */
export function serve(open, Transport) {
  createServer(async (request, response) => {
    const server = open();
    // The fastest mode has no session and sends the response in one piece.
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
