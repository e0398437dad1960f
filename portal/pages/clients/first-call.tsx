// A lamp that waits for a call and turns green when it comes.
import { useRef } from 'preact/hooks';
import { useNewestCalls } from '../../state/use-newest-calls.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.clients.firstCall;

export function FirstCall() {
  // What was already there when the page opened; undefined until that is known.
  const before = useRef<number | null | undefined>(undefined);
  const newest = useNewestCalls(
    ({ entries }) => before.current === undefined || (entries[0]?.id ?? null) === before.current,
  );
  // That may be older than the page: a call made between the two is no new one.
  const lastSeen = useRef(newest.data);
  if (newest.data === undefined) return null;
  const call = newest.data.entries[0] ?? null;
  if (before.current === undefined && newest.data !== lastSeen.current) before.current = call?.id ?? null;
  const arrived = before.current !== undefined && call !== null && call.id !== before.current;

  return (
    <section class="panel first-call">
      {/* Without the time, which would be read out again with every minute. */}
      <div role="status">
        {call === null ? (
          <Lamp colour="amber" blinking>
            {words.waiting}
          </Lamp>
        ) : (
          <Lamp colour="green">{arrived ? words.arrived(call.tool) : words.last(call.tool)}</Lamp>
        )}
      </div>
      <p class="muted">{call === null ? words.waitingLead : <RelativeTime at={call.created_at} />}</p>
    </section>
  );
}
