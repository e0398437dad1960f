// Uploads and downloads files as an agent would.
import * as z from 'zod';
import type { Deps } from '../../src/deps.ts';

interface Gateway {
  request(path: string, init?: RequestInit): Promise<Response>;
}

const FileObject = z.strictObject({
  handle: z.string().regex(/^f-/),
  name: z.string(),
  mimeType: z.string(),
  bytes: z.int(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  url: z.url(),
});
export type FileObject = z.infer<typeof FileObject>;

/** Reads the `file` of a result or an answer, and checks its shape. */
export const fileIn = (result: unknown): FileObject => z.looseObject({ file: FileObject }).parse(result).file;

/** The part of an address that a gateway in a test takes. */
export function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** Lists the keys of everything that is stored about files, in order. */
export async function storedKeys({ deps }: { deps: Pick<Deps, 'blobs'> }): Promise<string[]> {
  const keys: string[] = [];
  for (const folder of ['files/', 'file-bytes/'])
    for await (const key of deps.blobs.list(folder)) keys.push(key);
  return keys.toSorted();
}

/** Downloads the file of a result by its link, without any credential. */
export async function downloadFile(gateway: Gateway, result: unknown): Promise<Buffer> {
  const response = await gateway.request(pathOf(fileIn(result).url));
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Puts bytes at an upload address and returns the status and the answer. */
export async function putFile(
  gateway: Gateway,
  uploadUrl: string,
  body: BodyInit,
  init: RequestInit & { query?: string } = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { query = '', ...rest } = init;
  const response = await gateway.request(pathOf(uploadUrl) + query, {
    method: 'PUT',
    body,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    ...rest,
  });
  return { status: response.status, body: z.record(z.string(), z.unknown()).parse(await response.json()) };
}
