// Moves the focus to the page's heading, or another element, when the focused element disappears.
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

export function useFocusFallback(place: RefObject<HTMLElement | null>, fallback = 'h1'): void {
  useLayoutEffect(
    () => () => {
      if (!place.current?.contains(document.activeElement)) return;
      // Waits until the elements that replace it are there.
      queueMicrotask(() => {
        if (document.activeElement === document.body)
          document.querySelector<HTMLElement>(fallback)?.focus({ preventScroll: true });
      });
    },
    [],
  );
}
