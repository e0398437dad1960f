// Remembers who signed in here last, across reloads and redirects to a sign-in provider.
const KEY = 'svc_person';

/** Returns true when another person was signed in before and did not sign out. */
export function rememberPerson(id: string): boolean {
  const before = localStorage.getItem(KEY);
  localStorage.setItem(KEY, id);
  return before !== null && before !== id;
}

/** Returns false after the person has signed out. */
export function isSomebodyRemembered(): boolean {
  return localStorage.getItem(KEY) !== null;
}

export function forgetPerson(): void {
  localStorage.removeItem(KEY);
}
