// A service in a process of its own that counts its calls: each call for a list adds an item to it. Run by test/hard/watches.ts.
import { createServer } from 'node:http';

const SHOWN = 50;

/** When each list was asked for, in milliseconds. */
const calls = new Map<string, number[]>();

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  response.setHeader('content-type', 'application/json');
  if (pathname === '/calls') return void response.end(JSON.stringify(Object.fromEntries(calls)));
  const list = searchParams.get('list') ?? '';
  const times = calls.get(list) ?? [];
  calls.set(list, [...times, Date.now()]);
  const first = Math.max(0, times.length + 1 - SHOWN);
  const items = Array.from({ length: times.length + 1 - first }, (_, place) => ({ id: first + place }));
  response.end(JSON.stringify({ items }));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`listening ${address?.port}`);
});
