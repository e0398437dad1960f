// Lists, publishes, changes and deletes jots. reference: Portal API; decision: 037, 047
import type {
  JotAnswer,
  JotChange,
  JotList,
  JotPageAnswer,
  JotUploadAnswer,
} from '../../src/jots/api-operations.ts';
import { ApiError, request, toApiError } from './client.ts';

export type Jot = JotList['jots'][number];
export type JotSummary = JotAnswer;
export type JotPage = JotPageAnswer;
export type JotVersion = JotPage['versions'][number];
/** An address that takes the files of a jot, and what they may be. */
export type JotUpload = JotUploadAnswer;
export type { JotChange };

const pathOf = (name: string) => `/api/jots/${encodeURIComponent(name)}`;

export async function fetchJots(): Promise<Jot[]> {
  return (await request<JotList>('/api/jots')).jots;
}

export function fetchJot(name: string): Promise<JotPage> {
  return request(pathOf(name));
}

/** Makes an earlier version current again, if the version that was `current` still is. */
export function rollBackJot(name: string, version: number, current: number): Promise<JotSummary> {
  return request(`${pathOf(name)}/rollback`, { method: 'POST', body: { version, current } });
}

/** Returns an address for the files of a new jot, or of a new version. */
export function offerJotUpload(
  name: string,
  settings: Pick<JotChange, 'access' | 'password'>,
  signal: AbortSignal,
): Promise<JotUpload> {
  return request(`${pathOf(name)}/upload`, { method: 'POST', body: settings, signal });
}

/** Sends the packed files. Rejects with the reason of the signal when it is cancelled. */
export function sendJotArchive(
  { uploadUrl }: JotUpload,
  archive: Blob,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (sent: number) => void },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // The fetch API does not tell how much of a body was sent. The portal asks its own origin only.
  const sending = new XMLHttpRequest();
  sending.open('POST', uploadUrl.slice(uploadUrl.lastIndexOf('/j/upload/')));
  sending.responseType = 'json';
  sending.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
  sending.addEventListener('load', () => {
    if (sending.status === 200) resolve();
    else reject(toApiError(sending.status, sending.response));
  });
  sending.addEventListener('error', () => reject(new ApiError(0, '')));
  sending.addEventListener('abort', () => reject(signal.reason));
  signal.addEventListener('abort', () => sending.abort(), { once: true });
  sending.send(archive);
  return promise;
}

/** Returns the changed jot. */
export function changeJot(name: string, change: JotChange): Promise<JotSummary> {
  return request(pathOf(name), { method: 'PATCH', body: change });
}

/** Succeeds also when the jot no longer exists. */
export async function deleteJot(name: string): Promise<void> {
  await request(pathOf(name), { method: 'DELETE' }).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });
}
