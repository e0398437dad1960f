// Publishes jots in tests: calls the tools, uploads archives and reads the result.
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { call } from './mcp.ts';
import { rawTar } from './raw-tar.ts';
import type { TestApp } from './test-app.ts';

type Target = Pick<TestApp, 'request'>;
/** The caller; an API key is enough. */
type Owner = { keyHeader: Record<string, string> };

export const INDEX_HTML = '<!doctype html><title>Report</title><h1>Report</h1>';

/** Returns what execute_tools answers for one call: `result` or `error`. */
export async function run(app: Target, user: Owner, tool: string, args: object) {
  const { results } = await call(app, user.keyHeader, 'execute_tools', { executions: [{ tool, args }] });
  return results[0];
}

/** Returns the result of a call that must succeed. */
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

/** Sends an archive to the upload address that a tool returned. */
export async function upload(app: Target, { uploadUrl }: { uploadUrl: string }, body: Body) {
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  const response = await app.request(new URL(uploadUrl).pathname, init);
  return { status: response.status, body: await response.json() };
}

/** Packs texts and bytes into a gzip tarball. */
export function tarball(files: Record<string, string | Uint8Array>): Uint8Array<ArrayBuffer> {
  return gzip(rawTar(Object.entries(files).map(([name, content]) => ({ name, content }))));
}

export const gzip = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(gzipSync(bytes));

/** Downloads every file of a jot, and returns the texts by path. */
export async function downloadAll(app: Target, user: Owner, name: string): Promise<Record<string, string>> {
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

/** Low limits, so that small archives of tests can pass them. */
export const MAX_BYTES = 2_000_000;
export const MAX_FILES = 50;
export const SMALL_JOTS = {
  JOT_MAX_BYTES: String(MAX_BYTES),
  JOT_MAX_FILES: String(MAX_FILES),
  JOT_MAX_UPLOAD_BYTES: '1000000',
};

/** Returns the files and the row of a jot, and the keys of all blobs. */
export async function stateOf(app: TestApp, user: Owner, name: string) {
  return {
    files: await downloadAll(app, user, name),
    row: await app.deps.store.jots.get(name),
    keys: await blobKeys(app),
  };
}

/** Uploads over a live jot to the address that `offer` returns, and expects the jot and the blobs to stay the same. */
export async function uploadOverLive(
  app: TestApp,
  user: Owner,
  offer: (name: string) => Promise<{ uploadUrl: string }>,
  archive: Uint8Array,
): Promise<[number, string]> {
  await publish(app, user, 'live', { 'a.txt': 'live bytes' });
  const before = await stateOf(app, user, 'live');
  const { status, body } = await upload(app, await offer('live'), new Uint8Array(archive));
  expect(await stateOf(app, user, 'live')).toEqual(before);
  expect(body.message).toEqual(expect.any(String));
  return [status, body.error];
}
