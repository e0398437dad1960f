// A lamp that waits for a call and turns green when it comes.
import { useRef } from 'preact/hooks';
import { useNewestCall } from '../../state/use-newest-call.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { texts } from '../../texts.ts';

const words = texts.clients.firstCall;

export function FirstCall() {
  // What was already there when the page opened; undefined until that is known.
  const before = useRef<number | null | undefined>(undefined);
  const newest = useNewestCall((call) => call === null || call.id === before.current);
  const call = newest.data;
  if (call === undefined) return null;
  if (before.current === undefined) before.current = call?.id ?? null;
  const arrived = call !== null && call.id !== before.current;

  return (
    <section class="panel first-call" role="status">
      {call === null ? (
        <>
          <Lamp colour="amber" blinking>
            {words.waiting}
          </Lamp>
          <p class="muted">{words.waitingLead}</p>
        </>
      ) : (
        <>
          <Lamp colour="green">{arrived ? words.arrived(call.tool) : words.last(call.tool)}</Lamp>
          <p class="muted">
            <RelativeTime at={call.created_at} />
          </p>
        </>
      )}
    </section>
  );
}
