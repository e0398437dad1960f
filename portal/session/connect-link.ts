// Moves an agent's connect link from the address into local storage, where it survives a sign-in.
// reference: Connect links
const KEYS = { '/connect': 'svc_connect', '/browser': 'svc_browser' } as const;
const MAX_AGE_MS = 30 * 60 * 1000;

export type LinkPage = keyof typeof KEYS;

export interface ConnectLink {
  token: string;
  /** The integration that the link names. Only the gateway can check the link. */
  integration: string;
  /** The label of the account that it connects. Empty when it names none. */
  account: string;
}

export function takeLinkFromAddress(): void {
  const token = new URLSearchParams(location.search).get('t');
  const page = location.pathname;
  if (!isLinkPage(page) || token === null) return;
  localStorage.setItem(KEYS[page], JSON.stringify({ token, at: Date.now() }));
  history.replaceState(null, '', page + location.hash);
}

function isLinkPage(page: string): page is LinkPage {
  return Object.hasOwn(KEYS, page);
}

export function readLink(page: LinkPage): ConnectLink | null {
  const stored = parse(localStorage.getItem(KEYS[page]));
  const token = member(stored, 'token');
  const at = member(stored, 'at');
  if (typeof token !== 'string' || typeof at !== 'number' || Date.now() - at > MAX_AGE_MS) return null;
  const payload = payloadOf(token);
  return { token, integration: textIn(payload, 'integration'), account: textIn(payload, 'account') };
}

export function forgetLink(page: LinkPage): void {
  localStorage.removeItem(KEYS[page]);
}

// The payload is the second of three parts. RFC 7519 §3.1
function payloadOf(token: string): unknown {
  const [, payload = ''] = token.split('.');
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
      one.charCodeAt(0),
    );
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function textIn(value: unknown, name: string): string {
  const text = member(value, name);
  return typeof text === 'string' ? text : '';
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
