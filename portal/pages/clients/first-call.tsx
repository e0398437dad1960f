// Shows the latest call and whether it succeeded, and waits for the first one.
import { useRef } from 'preact/hooks';
import type { AuditEntry } from '../../api/audit.ts';
import { useNewestCalls } from '../../state/use-newest-calls.ts';
import { colourOf, outcomeOf } from '../../parts/call-outcome.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.clients.firstCall;

/** A decision of a person is no call. */
const isCall = ({ action }: AuditEntry): boolean => action !== 'DECIDE';

export function FirstCall() {
  // The newest call when the page opened: null without a call, undefined until it is known.
  const before = useRef<number | null | undefined>(undefined);
  const newest = useNewestCalls(
    ({ entries }) => before.current === undefined || (entries.find(isCall)?.id ?? null) === before.current,
  );
  // Cached data may be older than the page, so a call made in between is not new.
  const lastSeen = useRef(newest.data);
  if (newest.data === undefined) return null;
  const call = newest.data.entries.find(isCall) ?? null;
  if (before.current === undefined && newest.data !== lastSeen.current) before.current = call?.id ?? null;
  const arrived = before.current !== undefined && call !== null && call.id !== before.current;

  return (
    <section class="panel first-call">
      {/* The time stands outside, because a screen reader would announce it every minute. */}
      <div role="status">
        {call === null ? (
          <Lamp colour="amber" blinking>
            {words.waiting}
          </Lamp>
        ) : (
          <Lamp colour={colourOf(outcomeOf(call))}>
            {describe(arrived ? words.arrived : words.last, call)}
          </Lamp>
        )}
      </div>
      <p class="muted">{call === null ? words.waitingLead : <RelativeTime at={call.created_at} />}</p>
    </section>
  );
}

function describe(said: typeof words.arrived, call: AuditEntry): string {
  const outcome = outcomeOf(call);
  switch (outcome) {
    case 'succeeded':
    case 'failed':
    case 'stopped':
      return said[outcome](call.tool);
    default:
      return said.other(call.tool, texts.activity[outcome].toLowerCase());
  }
}
