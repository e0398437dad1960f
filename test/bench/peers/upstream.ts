// The upstream behind every peer: it returns items to callers with the token.
import { createServer } from 'node:http';

const [port = '0', token = ''] = process.argv.slice(2);

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const allowed = request.headers.authorization === `Bearer ${token}`;
    // Some peers call below a prefix of the integration.
    const id = /\/owners\/(.+)$/.exec(request.url ?? '')?.[1];
    const answer = allowed ? { id, change: Buffer.concat(chunks).toString() } : { error: 'who are you?' };
    response.writeHead(allowed ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
}).listen(Number(port), '127.0.0.1');
