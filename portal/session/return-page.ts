// The page a person was on when their session ended, kept across the way through a sign-in provider: for each tab its
// own, and the newest of all for a tab that had none.
const KEY = 'svc_return';
const KEPT_MS = 30 * 60 * 1000;

export function keepReturnPage(page = location.pathname + location.search): void {
  if (page.startsWith('/signin')) return;
  const kept = JSON.stringify({ page, at: Date.now() });
  sessionStorage.setItem(KEY, kept);
  if (page !== '/') localStorage.setItem(KEY, kept);
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
  const kept = parse(storage.getItem(KEY));
  // Our own pages only: "//host" would be somebody else's.
  return kept !== null && Date.now() - kept.at < KEPT_MS && /^\/(?![/\\])/.test(kept.page) ? kept.page : null;
}

function parse(text: string | null): { page: string; at: number } | null {
  try {
    const kept: unknown = JSON.parse(text ?? 'null');
    if (typeof kept !== 'object' || kept === null || !('page' in kept) || !('at' in kept)) return null;
    return typeof kept.page === 'string' && typeof kept.at === 'number'
      ? { page: kept.page, at: kept.at }
      : null;
  } catch {
    return null;
  }
}
