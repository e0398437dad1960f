// The session token: one string in local storage, put there by a link whose address keeps nothing.
import { takeReturnPage } from './return-page.ts';

// spec: Portal login, 4
const KEY = 'svc_token';

export function readToken(): string | null {
  return localStorage.getItem(KEY);
}

export function forgetToken(): void {
  localStorage.removeItem(KEY);
}

/** True when the address carried a session; afterwards it does not. */
export function takeTokenFromAddress(): boolean {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return false;
  localStorage.setItem(KEY, token);
  const page = location.pathname === '/' ? (takeReturnPage() ?? '/') : location.pathname + location.search;
  history.replaceState(null, '', page);
  return true;
}

/** Another tab signed in or out. */
export function isTokenChange(event: StorageEvent): boolean {
  return event.key === KEY || event.key === null;
}
