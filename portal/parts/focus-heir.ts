// What goes while it has the focus leaves it to the title of its page, or to what else follows it, instead of losing it.
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

export function useFocusHeir(place: RefObject<HTMLElement | null>, heir = 'h1'): void {
  useLayoutEffect(
    () => () => {
      if (!place.current?.contains(document.activeElement)) return;
      // Once everything that comes instead is there.
      queueMicrotask(() => {
        if (document.activeElement === document.body)
          document.querySelector<HTMLElement>(heir)?.focus({ preventScroll: true });
      });
    },
    [],
  );
}
