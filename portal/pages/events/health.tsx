// Shows how a subscription is: its lamp, and when something came or comes.
import type { Subscription } from '../../api/events.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { eventsTexts as words } from '../../texts/events.ts';
import { SubscriptionLamp } from './subscription-words.tsx';

const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

export function Health({ of }: { of: Subscription }) {
  const { deliverTo, failures, lag, lastDelivery, lastRun, nextRun, state } = of;
  const times = [
    { label: words.lastDelivery, at: lastDelivery },
    { label: words.lastRun, at: lastRun },
  ];
  return (
    <>
      <SubscriptionLamp state={state} />
      {times.map(
        ({ at, label }) =>
          at !== null && (
            <span key={label}>
              {label} <RelativeTime at={at} />
            </span>
          ),
      )}
      {nextRun !== null && lag === 0 && <span>{words.nextRun(moment.format(nextRun * 1000))}</span>}
      {lag > 0 && <span>{words.late(lag)}</span>}
      {failures > 0 && <span>{words.failures(failures)}</span>}
      {deliverTo !== null && <span>{words.goesTo(deliverTo.place)}</span>}
    </>
  );
}
