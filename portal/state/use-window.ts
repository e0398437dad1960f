// Keeps in the document only the parts of a long list that are near the window, so that thousands of rows scroll smoothly.
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The rows of a part. */
export const PART = 50;
/** How far from the window a part is still in the document. */
const NEAR_PX = 1000;

interface Options {
  /** The height of most rows. */
  rowPx?: number;
  /** The index of a row that is always in the document, or -1. */
  pinned?: number;
}

/** A part of the list: its rows, or the height that they had. */
export type Part<T> = { at: number; rows: readonly T[] } | { at: number; height: number };

/**
 * The rows of a part, and what stands for them, have `data-part` with its number. A head that sticks to the window has none: it
 * is not where the part begins.
 */
export function useWindow<T>(
  items: readonly T[],
  list: RefObject<HTMLElement | null>,
  { rowPx = 40, pinned = -1 }: Options = {},
): Part<T>[] {
  const heights = useRef<number[]>([]);
  const [near, setNear] = useState('0 1');
  const count = Math.ceil(items.length / PART);

  useLayoutEffect(() => {
    let frame = 0;
    function look(): void {
      frame = 0;
      const root = list.current;
      // A list that is not shown has no heights.
      if (root === null || root.getClientRects().length === 0) return;
      const found: number[] = [];
      let isAbove = false;
      for (let at = 0; at < count; at++) {
        const rows = root.querySelectorAll(`[data-part="${at}"]`);
        const [first, last] = [rows[0], rows[rows.length - 1]];
        if (first === undefined || last === undefined) continue;
        const { top } = first.getBoundingClientRect();
        const { bottom } = last.getBoundingClientRect();
        heights.current[at] = bottom - top;
        isAbove = bottom < 0;
        const hasFocus = [...rows].some((row) => row.contains(document.activeElement));
        if (hasFocus || (bottom > -NEAR_PX && top < innerHeight + NEAR_PX)) found.push(at);
      }
      // The list is far above the window, or far below.
      if (found.length === 0) found.push(isAbove ? count - 1 : 0);
      setNear(found.join(' '));
    }
    const later = () => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    look();
    // The list may scroll in a frame of its own, and such an event does not bubble.
    document.addEventListener('scroll', later, { capture: true, passive: true });
    window.addEventListener('resize', later);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('scroll', later, { capture: true });
      window.removeEventListener('resize', later);
    };
  }, [count, items]);

  const shown = new Set([...near.split(' ').map(Number), Math.floor(pinned / PART)]);
  return Array.from({ length: count }, (_, at) =>
    // The last part may have grown, so its height is not known.
    shown.has(at) || count < 3
      ? { at, rows: items.slice(at * PART, (at + 1) * PART) }
      : { at, height: heights.current[at] ?? Math.min(PART, items.length - at * PART) * rowPx },
  );
}
