// Shows a long list bit by bit, a bit in each frame, so that no frame takes long enough to be felt.
import { useEffect, useRef, useState } from 'preact/hooks';

const BIT = 24;
/** Who comes back to where they were finds as much as there was. */
let most = BIT;

/** How many of so many to show now. With another subject it goes on from what was there: that costs nothing. */
export function useGradually(total: number, subject: string): number {
  const shown = useRef({ subject, total, count: most });
  const [frames, setFrames] = useState(0);
  const before = shown.current;
  const count =
    before.subject === subject ? before.count : Math.max(BIT, Math.min(before.count, before.total));
  shown.current = { subject, total, count };
  most = Math.max(most, count);

  useEffect(() => {
    if (count >= total) return;
    const frame = requestAnimationFrame(() => {
      shown.current.count = count + BIT;
      setFrames(frames + 1);
    });
    return () => cancelAnimationFrame(frame);
  }, [count, total, subject, frames]);
  return count;
}
