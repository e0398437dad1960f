// The link that an agent gave a person: out of the address at once, kept for as long as the way through a sign-in may take.
// spec: Connect-link endpoints
const KEYS = { '/connect': 'svc_connect', '/browser': 'svc_browser' } as const;
const KEPT_MS = 30 * 60 * 1000;

export type LinkPage = keyof typeof KEYS;

export interface ConnectLink {
  token: string;
  /** What the link says it is for. Only the gateway can tell whether that is true. */
  integration: string;
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
  const kept = parse(localStorage.getItem(KEYS[page]));
  const token = member(kept, 'token');
  const at = member(kept, 'at');
  if (typeof token !== 'string' || typeof at !== 'number' || Date.now() - at > KEPT_MS) return null;
  const integration = member(payloadOf(token), 'integration');
  return { token, integration: typeof integration === 'string' ? integration : '' };
}

export function forgetLink(page: LinkPage): void {
  localStorage.removeItem(KEYS[page]);
}

// RFC 7519 §3.1: the middle of three parts
function payloadOf(token: string): unknown {
  const [, payload = ''] = token.split('.');
  try {
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
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

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
