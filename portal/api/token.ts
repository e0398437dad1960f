// Keeps the session token in local storage.
// reference: Portal sign-in
const KEY = 'svc_token';

export function readToken(): string | null {
  return localStorage.getItem(KEY);
}

export function keepToken(token: string): void {
  localStorage.setItem(KEY, token);
}

export function forgetToken(): void {
  localStorage.removeItem(KEY);
}

/** Tells whether another tab signed in or out. */
export function isTokenChange(event: StorageEvent): boolean {
  return event.key === KEY || event.key === null;
}
