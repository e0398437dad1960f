// A row that is longer than a phone is wide shows the one of it that is chosen. The page itself stays where it is.
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

export function useInSight(row: RefObject<HTMLElement | null>, selector: string, chosen: string): void {
  useLayoutEffect(() => {
    const one = row.current?.querySelector(selector);
    if (!row.current || !one) return;
    row.current.scrollLeft += middleOf(one) - middleOf(row.current);
  }, [chosen]);
}

/** The same for a list that scrolls in a frame of its own, where the chosen one is out of it. */
export function showInFrame(frame: HTMLElement, one: HTMLElement): void {
  const around = frame.getBoundingClientRect();
  const { top, bottom } = one.getBoundingClientRect();
  if (top < around.top || bottom > around.bottom)
    frame.scrollTop += (top + bottom - around.top - around.bottom) / 2;
}

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}
