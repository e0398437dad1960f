// Holds back new calls while the person reads further down, so that the list does not move under their eyes.
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AuditEntry } from '../../api/audit.ts';

interface Held {
  shown: readonly AuditEntry[];
  /** How many new calls wait above the list. */
  waiting: number;
  show: () => void;
}

/** `of` names the list, and `isOpen` says that a call is beside it. Another list begins with all of its calls. */
export function useHeld(
  of: string,
  entries: readonly AuditEntry[],
  list: RefObject<HTMLElement | null>,
  isOpen: boolean,
): Held {
  const newest = entries[0]?.id ?? 0;
  const seen = useRef({ of, id: newest });
  const [, setLooks] = useState(0);
  const look = () => setLooks((count) => count + 1);

  // After a long absence the list begins again, with none of the calls that were there.
  const isOther = seen.current.of !== of || !entries.some(({ id }) => id <= seen.current.id);
  if (isOther || !(isOpen || isReading(list.current))) seen.current = { of, id: newest };
  const shown = entries.filter(({ id }) => id <= seen.current.id);
  const waiting = entries.length - shown.length;

  useEffect(() => {
    if (waiting === 0) return;
    // The calls join the list when the person is back at its top.
    const onScroll = () => {
      if (!isReading(list.current)) look();
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, [waiting]);

  return {
    shown,
    waiting,
    show: () => {
      seen.current = { of, id: newest };
      window.scrollTo(0, 0);
      look();
    },
  };
}

/** The top of the list is out of sight, or the keyboard is in it. */
function isReading(list: HTMLElement | null): boolean {
  if (list === null) return false;
  return list.getBoundingClientRect().top < 0 || list.contains(document.activeElement);
}
