// Renders a long list in steps, one step a frame, so that no frame takes noticeably long.
import { useEffect, useRef, useState } from 'preact/hooks';

const STEP = 24;
/** The longest list so far. A person who returns to a list finds it as long as before. */
let longest = STEP;

/** Returns how many of `total` items to show now. A new subject keeps the count, because the rows are there already. */
export function useGradually(total: number, subject: string): number {
  const shown = useRef({ subject, total, count: longest });
  const [frames, setFrames] = useState(0);
  const before = shown.current;
  const count =
    before.subject === subject ? before.count : Math.max(STEP, Math.min(before.count, before.total));
  shown.current = { subject, total, count };
  longest = Math.max(longest, count);

  useEffect(() => {
    if (count >= total) return;
    const frame = requestAnimationFrame(() => {
      shown.current.count = count + STEP;
      setFrames(frames + 1);
    });
    return () => cancelAnimationFrame(frame);
  }, [count, total, subject, frames]);
  return count;
}
