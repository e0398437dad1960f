// Reads the session token of a sign-in link, and removes the token from the address.
import { keepToken } from '../api/token.ts';
import { takeReturnPage } from './return-page.ts';

let isUntried = false;

/** Tells whether the token came with a link, and the gateway has not accepted it yet. */
export function isLinkUntried(): boolean {
  return isUntried;
}

export function acceptLink(): void {
  isUntried = false;
}

/** Returns true when the address carried a session token. */
export function takeTokenFromAddress(): boolean {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return false;
  keepToken(token);
  isUntried = true;
  const page = location.pathname === '/' ? (takeReturnPage() ?? '/') : location.pathname + location.search;
  history.replaceState(null, '', page);
  return true;
}
