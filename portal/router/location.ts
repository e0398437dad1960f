// Reads and changes the address. The browser's history is the only state; `useLocation` shows it to components.
import { useEffect, useState } from 'preact/hooks';

export interface Here {
  path: string;
  query: URLSearchParams;
}

const moved = new EventTarget();
let moves = 0;

export function here(): Here {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

/** Returns false until the person navigates: the first page of a visit must not take the focus. */
export function hasMoved(): boolean {
  return moves > 0;
}

export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  // A link to the current page adds no step to the history, as in browsers.
  if (replace || to === location.pathname + location.search) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  moves += 1;
  moved.dispatchEvent(new Event('move'));
  if (!replace) window.scrollTo(0, 0);
}

/** Changes the query of the address, such as a filter, and stays on the page. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const { path, query } = here();
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  const search = query.toString();
  history.replaceState(null, '', search === '' ? path : `${path}?${search}`);
  moved.dispatchEvent(new Event('move'));
}

export function useLocation(): Here {
  const [now, setNow] = useState(here);
  useEffect(() => {
    const look = () => setNow(here());
    const back = () => {
      moves += 1;
      look();
    };
    look();
    moved.addEventListener('move', look);
    window.addEventListener('popstate', back);
    return () => {
      moved.removeEventListener('move', look);
      window.removeEventListener('popstate', back);
    };
  }, []);
  return now;
}
