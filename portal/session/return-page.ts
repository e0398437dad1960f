// Remembers the page a person was on when their session ended, across redirects to a sign-in provider. Each tab has a
// page of its own; a tab without one uses the newest page of all tabs.
const KEY = 'svc_return';
const MAX_AGE_MS = 30 * 60 * 1000;

export function keepReturnPage(page = location.pathname + location.search): void {
  if (page.startsWith('/signin')) return;
  const text = JSON.stringify({ page, at: Date.now() });
  sessionStorage.setItem(KEY, text);
  if (page !== '/') localStorage.setItem(KEY, text);
}

export function dropReturnPage(): void {
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(KEY);
}

export function takeReturnPage(): string | null {
  const page = readFrom(sessionStorage) ?? readFrom(localStorage);
  dropReturnPage();
  return page;
}

function readFrom(storage: Storage): string | null {
  const stored = parse(storage.getItem(KEY));
  // Accepts only pages of the portal: "//host" is another site.
  return stored !== null && Date.now() - stored.at < MAX_AGE_MS && /^\/(?![/\\])/.test(stored.page)
    ? stored.page
    : null;
}

function parse(text: string | null): { page: string; at: number } | null {
  try {
    const stored: unknown = JSON.parse(text ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('page' in stored) || !('at' in stored))
      return null;
    return typeof stored.page === 'string' && typeof stored.at === 'number'
      ? { page: stored.page, at: stored.at }
      : null;
  } catch {
    return null;
  }
}
