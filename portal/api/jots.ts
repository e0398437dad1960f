// Lists, changes and deletes jots. reference: Portal API; decision: 054
import { ApiError, request } from './client.ts';
import type { Jot, JotChange } from './types.ts';

const pathOf = (name: string) => `/api/jots/${encodeURIComponent(name)}`;

export async function fetchJots(): Promise<Jot[]> {
  return (await request<{ jots: Jot[] }>('/api/jots')).jots;
}

/** Returns the changed jot. */
export function changeJot(name: string, change: JotChange): Promise<Jot> {
  return request(pathOf(name), { method: 'PATCH', body: change });
}

/** Succeeds also when the jot no longer exists. */
export async function deleteJot(name: string): Promise<void> {
  await request(pathOf(name), { method: 'DELETE' }).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });
}
