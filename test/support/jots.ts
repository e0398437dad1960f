// Publishing in tests: an owner who calls tools, uploads archives and opens what came of it.
import { gzipSync } from 'node:zlib';
import { packTar, type TarEntry } from 'modern-tar';
import { call } from './mcp.ts';
import type { TestApp } from './test-app.ts';

type Target = Pick<TestApp, 'request'>;
/** Who calls: a key is enough. */
type Owner = { keyHeader: Record<string, string> };

export const INDEX_HTML = '<!doctype html><title>Report</title><h1>Report</h1>';

/** What execute_tools answers for one call: `result`, or `error`. */
export async function run(app: Target, user: Owner, tool: string, args: object) {
  const { results } = await call(app, user.keyHeader, 'execute_tools', { executions: [{ tool, args }] });
  return results[0];
}

/** The result of a call that must succeed. */
export async function done(app: Target, user: Owner, tool: string, args: object) {
  const item = await run(app, user, tool, args);
  if (!('result' in item)) throw new Error(`${tool}: ${JSON.stringify(item)}`);
  return item.result;
}

export const asFiles = (files: Record<string, string>) =>
  Object.entries(files).map(([path, content]) => ({ path, content }));

export function publish(
  app: Target,
  user: Owner,
  name: string,
  files: Record<string, string> = {},
  settings: object = {},
) {
  return done(app, user, 'deploy_jot', {
    name,
    ...settings,
    files: asFiles({ 'index.html': INDEX_HTML, ...files }),
  });
}

type Body = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

/** Sends an archive to the upload address of a tool's answer. */
export async function upload(app: Target, { uploadUrl }: { uploadUrl: string }, body: Body) {
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  const response = await app.request(new URL(uploadUrl).pathname, init);
  return { status: response.status, body: await response.json() };
}

/** A gzip tarball of texts and bytes. */
export async function tarball(files: Record<string, string | Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const entries = Object.entries(files).map(([name, content]): TarEntry => ({
    header: { name, size: Buffer.byteLength(content) },
    body: content,
  }));
  return gzip(await packTar(entries));
}

export const gzip = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(gzipSync(bytes));

/** Every file of a jot as it is served, by path. */
export async function served(app: Target, user: Owner, name: string): Promise<Record<string, string>> {
  const { files } = await done(app, user, 'get_jot', { name });
  const read = async ({ path }: { path: string }) => {
    const address = `/j/${name}/${path.split('/').map(encodeURIComponent).join('/')}`;
    return [path, await (await app.request(address)).text()];
  };
  return Object.fromEntries(await Promise.all(files.map(read)));
}

export async function blobKeys(app: TestApp): Promise<string[]> {
  return (await Array.fromAsync(app.deps.blobs.list('jots'))).toSorted();
}
