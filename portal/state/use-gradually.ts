// Renders a long list in steps, one step a frame, so that no frame takes noticeably long.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** What a window shows, or a little less. */
const FIRST = 12;
const MOST_AT_ONCE = 48;
/** The longest list so far. A person who returns to a list finds it as long as before. */
let longest = 0;

/**
 * Returns how many of `total` items to show now, `first` of them at the start. A new subject keeps the count, because the rows are
 * there already.
 */
export function useGradually(total: number, subject: string, first = FIRST): number {
  const shown = useRef({ subject, total, count: Math.max(first, longest) });
  const [frames, setFrames] = useState(0);
  const before = shown.current;
  const count =
    before.subject === subject ? before.count : Math.max(FIRST, Math.min(before.count, before.total));
  shown.current = { subject, total, count };
  longest = Math.max(longest, count);

  useLayoutEffect(() => {
    if (count >= total) return;
    const grow = () => {
      shown.current.count = count + Math.min(2 * count, MOST_AT_ONCE);
      setFrames(frames + 1);
    };
    // The first items are painted before the next ones are rendered.
    let frame = requestAnimationFrame(
      frames > 0
        ? grow
        : () => {
            frame = requestAnimationFrame(grow);
          },
    );
    return () => cancelAnimationFrame(frame);
  }, [count, total, subject, frames]);
  return count;
}
