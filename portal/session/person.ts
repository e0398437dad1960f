// Who was signed in here last, across reloads and the way through a sign-in provider.
const KEY = 'svc_person';

/** True when it was somebody else before, whose session ended in some other way than by signing out. */
export function rememberPerson(id: string): boolean {
  const before = localStorage.getItem(KEY);
  localStorage.setItem(KEY, id);
  return before !== null && before !== id;
}

/** False once the last one has signed out. */
export function isSomebodyRemembered(): boolean {
  return localStorage.getItem(KEY) !== null;
}

export function forgetPerson(): void {
  localStorage.removeItem(KEY);
}
