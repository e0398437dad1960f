// Uploads a file, so that tools can take it by its handle. reference: Files
import type { UploadAddress } from '../../src/files/api-operations.ts';
import type { FileObject } from '../../src/kit/files.ts';
import { ApiError, request, toApiError } from './client.ts';

export type KeptFile = FileObject;

interface UploadOptions {
  signal: AbortSignal;
  /** Is told how many bytes were sent. */
  onProgress: (sent: number) => void;
}

/** Rejects with the reason of the signal when the upload is cancelled. */
export async function uploadFile(file: File, options: UploadOptions): Promise<KeptFile> {
  const { name, type: mimeType, size: bytes } = file;
  const { signal } = options;
  const body = { name, mimeType, bytes };
  const { uploadUrl } = await request<UploadAddress>('/api/files', { method: 'POST', body, signal });
  signal.throwIfAborted();
  return (await put(pathOf(uploadUrl), file, options)).file;
}

/** Returns the path of a file's address. The portal asks its own origin only. */
export function pathOf(address: string): string {
  return address.slice(Math.max(0, address.lastIndexOf('/f/')));
}

// The fetch API does not tell how much of a body was sent.
function put(path: string, file: File, { signal, onProgress }: UploadOptions): Promise<{ file: KeptFile }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ file: KeptFile }>();
  const sending = new XMLHttpRequest();
  sending.open('PUT', path);
  sending.responseType = 'json';
  sending.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
  sending.addEventListener('load', () => {
    if (sending.status === 201 && sending.response !== null) resolve(sending.response);
    else reject(toApiError(sending.status, sending.response));
  });
  sending.addEventListener('error', () => reject(new ApiError(0, '')));
  sending.addEventListener('abort', () => reject(signal.reason));
  signal.addEventListener('abort', () => sending.abort(), { once: true });
  sending.send(file);
  return promise;
}
