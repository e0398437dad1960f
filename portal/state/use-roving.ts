// Makes a long list one stop for Tab: arrow keys move between rows, and between the controls of a row.
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

const STOPS = 'a[href], button:not([disabled]), input:not([disabled])';
const ROW = '[data-row]';

/** The rows are the elements with `data-row`. Only the controls of the row that had the focus last are stops. */
export function useRoving(list: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const root = list.current;
    if (root === null) return;
    let current: Element | null = null;

    function settle(): void {
      const rows = [...(root?.querySelectorAll(ROW) ?? [])];
      if (current === null || !rows.includes(current)) current = rows[0] ?? null;
      for (const row of rows)
        for (const stop of row.querySelectorAll<HTMLElement>(STOPS)) stop.tabIndex = row === current ? 0 : -1;
    }

    function onFocus({ target }: FocusEvent): void {
      const row = target instanceof Element ? target.closest(ROW) : null;
      if (row === null || row === current) return;
      current = row;
      settle();
    }

    function onKeyDown(event: KeyboardEvent): void {
      const { target, key } = event;
      const row = target instanceof HTMLElement ? target.closest(ROW) : null;
      if (row === null || event.altKey || event.ctrlKey || event.metaKey) return;
      const stops = [...row.querySelectorAll<HTMLElement>(STOPS)];
      const column = stops.findIndex((stop) => stop === target);
      const rows = [...(root?.querySelectorAll<HTMLElement>(ROW) ?? [])];
      const at = rows.findIndex((each) => each === row);
      const sameIn = (next: Element | undefined) => {
        const there = [...(next?.querySelectorAll<HTMLElement>(STOPS) ?? [])];
        return there[column] ?? there[0];
      };
      const moves: Record<string, () => HTMLElement | undefined> = {
        ArrowDown: () => sameIn(rows[at + 1]),
        ArrowUp: () => sameIn(rows[at - 1]),
        Home: () => sameIn(rows[0]),
        End: () => sameIn(rows.at(-1)),
        ArrowRight: () => stops[column + 1],
        ArrowLeft: () => stops[column - 1],
      };
      const wanted = moves[key]?.();
      if (wanted === undefined) return;
      event.preventDefault();
      wanted.focus();
    }

    settle();
    const changes = new MutationObserver(settle);
    changes.observe(root, { childList: true, subtree: true });
    root.addEventListener('focusin', onFocus);
    root.addEventListener('keydown', onKeyDown);
    return () => {
      changes.disconnect();
      root.removeEventListener('focusin', onFocus);
      root.removeEventListener('keydown', onKeyDown);
    };
  }, []);
}
