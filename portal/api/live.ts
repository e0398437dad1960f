// Calls the gateway's live-view routes.
// reference: Live view; Cookie sessions
import { request, send, ApiError } from './client.ts';
import { startPath } from './connect.ts';

/** The person's channel: its path, and the headers that prove that the channel is theirs. */
export interface Attached {
  base: string;
  /** The label of the account that the viewer shows. Empty without one. */
  account: string;
  /** Every request to the channel sends these. */
  headers: Readonly<Record<string, string>>;
  maxBatch: number;
}

interface AttachAnswer {
  sessionKey: string;
  header: string;
  maxBatch: number;
}

/** Returns the path of the browser's own channel when `integration` is empty. */
export function channelBase(integration: string): string {
  return integration === ''
    ? '/api/browser-session/cdp'
    : `/api/auth/cookie/${encodeURIComponent(integration)}/cdp`;
}

export async function attach(base: string, account = ''): Promise<Attached> {
  const path = `${base}/attach`;
  const { sessionKey, header, maxBatch } = await request<AttachAnswer>(path, { method: 'POST' });
  const headers = { [header]: sessionKey };
  // Attaches again with the key. Among several gateways, only the key leads to the one that has the person's browser.
  await request(path, { method: 'POST', headers });
  return { base, account, headers, maxBatch };
}

export async function openEvents(
  { base, headers }: Attached,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await send(`${base}/events`, { headers, signal });
  if (!response.ok || response.body === null) throw new ApiError(response.status, '');
  return response.body;
}

export function postCommands(
  { base, account, headers }: Attached,
  batch: readonly unknown[],
): Promise<unknown> {
  return request(`${base}/commands${accountQuery(account)}`, { method: 'POST', headers, body: batch });
}

export async function detach({ base, headers }: Attached): Promise<void> {
  // When this fails, the gateway's reaper closes the channel a little later.
  await send(`${base}/detach`, { method: 'POST', headers, keepalive: true }).catch(() => undefined);
}

/** Sends the person's browser to the login page, and returns the page's address. */
export async function startLogIn(
  { headers }: Attached,
  integration: string,
  instanceUrl: string,
  account = '',
): Promise<string> {
  const path = startPath(integration, { instanceUrl, account });
  return (await request<{ loginUrl: string }>(path, { headers })).loginUrl;
}

/** Stores the session that the person's browser has now. */
export function captureSession({ account, headers }: Attached, integration: string): Promise<unknown> {
  const path = `/api/auth/cookie/${encodeURIComponent(integration)}/capture${accountQuery(account)}`;
  return request(path, { method: 'POST', headers });
}

export async function cancelLogIn({ headers }: Attached, integration: string): Promise<void> {
  const path = `/api/auth/cookie/${encodeURIComponent(integration)}/cancel`;
  await send(path, { method: 'POST', headers, keepalive: true }).catch(() => undefined);
}

/** Stores the session for a connect link, so that the waiting agent learns of the connection. */
export function captureByLink({ headers }: Attached, token: string): Promise<unknown> {
  return request('/api/connect/capture', { method: 'POST', headers, body: { token }, refusesMore: true });
}

const accountQuery = (account: string): string =>
  account === '' ? '' : `?${new URLSearchParams({ account }).toString()}`;
