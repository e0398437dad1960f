// Holds the buttons back for a moment after the page has moved under the pointer, as browsers do for their own
// questions: a click or key that was meant for something else must not approve a call.
import { useEffect, useState } from 'preact/hooks';

const SETTLE_MS = 700;

/** `layout` names everything that the person sees. Returns false for a moment after it changes or the window returns. */
export function useSettled(layout: string): boolean {
  const [settled, setSettled] = useState<string>();

  useEffect(() => {
    let timer = 0;
    const wait = () => {
      setSettled(undefined);
      clearTimeout(timer);
      timer = window.setTimeout(() => setSettled(layout), SETTLE_MS);
    };
    wait();
    window.addEventListener('focus', wait);
    document.addEventListener('visibilitychange', wait);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('focus', wait);
      document.removeEventListener('visibilitychange', wait);
    };
  }, [layout]);

  return settled === layout;
}
