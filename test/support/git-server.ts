// Serves repositories with git's own HTTP backend, for one user with a password.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHttpServer } from './http-server.ts';

export interface GitServer {
  url: string;
  /** The Authorization headers so far, in order. */
  seen: (string | undefined)[];
  close(): Promise<void>;
}

/** Starts a server with one empty repository, `acme/app.git`. */
export async function startGitServer(user: string, password: string): Promise<GitServer> {
  const folder = mkdtempSync(join(tmpdir(), 'git-server-'));
  const repository = join(folder, 'acme/app.git');
  spawnSync('git', ['init', '--bare', '--initial-branch=main', repository]);
  spawnSync('git', ['-C', repository, 'config', 'http.receivepack', 'true']);
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const seen: GitServer['seen'] = [];
  const server = await startHttpServer((incoming, outgoing) => {
    seen.push(incoming.headers.authorization);
    if (incoming.headers.authorization === expected) runBackend(folder, user, incoming, outgoing);
    else outgoing.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    seen,
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// Runs git's backend as a CGI program (RFC 3875).
function runBackend(folder: string, user: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const url = new URL(incoming.url ?? '', 'http://git');
  const { headers, method = '' } = incoming;
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: user,
      REQUEST_METHOD: method,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: headers['content-type'] ?? '',
      ...(headers['content-length'] === undefined ? {} : { CONTENT_LENGTH: headers['content-length'] }),
      ...(headers['content-encoding'] === undefined
        ? {}
        : { HTTP_CONTENT_ENCODING: headers['content-encoding'] }),
      ...(typeof headers['git-protocol'] === 'string' ? { GIT_PROTOCOL: headers['git-protocol'] } : {}),
    },
  });
  incoming.pipe(child.stdin);
  child.stdin.on('error', () => {});
  let head: Buffer | null = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    if (head === null) return void outgoing.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    for (const line of head.subarray(0, end).toString().split('\r\n')) {
      const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? [];
      if (name === 'Status') outgoing.statusCode = Number.parseInt(value, 10);
      else outgoing.setHeader(name, value);
    }
    outgoing.write(head.subarray(end + 4));
    head = null;
  });
  child.stdout.on('end', () => outgoing.end());
}
