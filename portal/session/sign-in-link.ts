// Reads the session token of a sign-in link, and removes the token from the address.
import { keepToken } from '../api/token.ts';
import { takeReturnPage } from './return-page.ts';

let isTried = true;

/** Tells whether the token came with a link, and the gateway has not accepted it yet. */
export function isLinkUntried(): boolean {
  return !isTried;
}

export function acceptLink(): void {
  isTried = true;
}

/** Returns true when the address carried a session token. */
export function takeTokenFromAddress(): boolean {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return false;
  keepToken(token);
  isTried = false;
  const page = location.pathname === '/' ? (takeReturnPage() ?? '/') : location.pathname + location.search;
  history.replaceState(null, '', page);
  return true;
}
