// Lists what was sent and what waits, and sends again what has ended.
import { useState } from 'preact/hooks';
import { type Delivery, fetchDeliveries, type NoticeChannel, sendAgain } from '../../../api/notices.ts';
import { ActionButton } from '../../../parts/action-button.tsx';
import { Lamp, type LampColour } from '../../../parts/lamp.tsx';
import { NotLoaded } from '../../../parts/not-loaded.tsx';
import { type Outcome, OutcomeLine } from '../../../parts/outcome-line.tsx';
import { RelativeTime } from '../../../parts/relative-time.tsx';
import { useResource } from '../../../state/use-resource.ts';
import { noticesTexts } from '../../../texts/notices.ts';

const words = noticesTexts.deliveries;
const COLOURS: Record<Delivery['state'], LampColour> = {
  queued: 'amber',
  done: 'green',
  failed: 'red',
  dropped: 'off',
};
const KINDS: Readonly<Record<string, string>> = {
  ...noticesTexts.kinds,
  test: words.test,
  invitation: words.invitation,
};

export function DeliveriesPanel({ channels }: { channels: readonly NoticeChannel[] }) {
  const page = useResource('deliveries', () => fetchDeliveries());
  const [outcome, setOutcome] = useState<Outcome>();
  const { data } = page;
  const nameOf = (id: string): string => channels.find((each) => each.id === id)?.name ?? words.unknown;

  async function again({ id }: Delivery): Promise<void> {
    const sent = await sendAgain(id);
    page.change((now) => ({
      ...now,
      deliveries: now.deliveries.map((each) => (each.id === id ? sent : each)),
    }));
    setOutcome({ words: words.sent, takesFocus: true });
  }

  async function more(): Promise<void> {
    const next = await fetchDeliveries(data?.nextCursor);
    page.change(({ deliveries }) => ({ ...next, deliveries: [...deliveries, ...next.deliveries] }));
  }

  return (
    <section class="panel" aria-labelledby="deliveries">
      <div class="notices-head">
        <h2 id="deliveries">{words.title}</h2>
        <button type="button" class="button" onClick={page.reload}>
          {words.reload}
        </button>
      </div>
      <p class="muted">{words.lead}</p>
      <NotLoaded of={[page]} />
      <OutcomeLine outcome={outcome} />
      {data?.deliveries.length === 0 && <p>{words.none}</p>}
      <ul class="notices-deliveries">
        {data?.deliveries.map((each) => (
          <li key={each.id}>
            <div>
              <p>
                <strong>{KINDS[each.kind] ?? each.kind}</strong>{' '}
                {each.channel !== '' && <span class="muted">{words.to(nameOf(each.channel))}</span>}
              </p>
              <p class="notices-facts">
                <Lamp colour={COLOURS[each.state]}>{words.states[each.state]}</Lamp>
                {each.lagSeconds !== undefined && <span>{words.lag(each.lagSeconds)}</span>}
                <RelativeTime at={each.createdAt} />
                {each.attempts > 1 && <span>{words.attempts(each.attempts)}</span>}
                {each.dueAt !== undefined && (
                  <span>
                    {words.next} <RelativeTime at={each.dueAt} />
                  </span>
                )}
              </p>
              {each.lastError !== undefined && <p class="notices-error">{each.lastError}</p>}
            </div>
            {each.state !== 'queued' && (
              <div>
                <ActionButton
                  label={words.again}
                  named={words.againOf(KINDS[each.kind] ?? each.kind)}
                  onAct={() => again(each)}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      {data?.nextCursor !== undefined && (
        <p>
          <ActionButton label={words.more} onAct={more} />
        </p>
      )}
    </section>
  );
}
