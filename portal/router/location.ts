// Where the person is. The browser's history is the only state; this file lets components see it.
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

/** False until the person goes somewhere: the page a visit begins with must not take the focus. */
export function hasMoved(): boolean {
  return moves > 0;
}

export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  // As browsers do: a link to where one is adds no step to go back.
  if (replace || to === location.pathname + location.search) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  moves += 1;
  moved.dispatchEvent(new Event('move'));
  if (!replace) window.scrollTo(0, 0);
}

/** Changes what the address says about this page, such as a filter, without going anywhere. */
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
