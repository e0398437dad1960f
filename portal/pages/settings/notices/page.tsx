// Shows where the person is told outside the portal, what, and what was sent.
import { useState } from 'preact/hooks';
import { fetchNotices, type MadeChannel } from '../../../api/notices.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Empty } from '../../../parts/empty.tsx';
import { NotLoaded } from '../../../parts/not-loaded.tsx';
import { type Outcome, OutcomeLine } from '../../../parts/outcome-line.tsx';
import { type RemovedRow, Rows } from '../../../parts/rows.tsx';
import { Back } from '../../../shell/back.tsx';
import { Page } from '../../../shell/page.tsx';
import { useResource } from '../../../state/use-resource.ts';
import { noticesTexts as words } from '../../../texts/notices.ts';
import { texts } from '../../../texts/texts.ts';
import { ChannelRow } from './channel-row.tsx';
import { DeliveriesPanel } from './deliveries-panel.tsx';
import { MadeChannelPanel } from './made-channel.tsx';
import { NewChannel } from './new-channel.tsx';
import { QuietHoursPanel } from './quiet-hours-panel.tsx';
import '../../../styles/keys.css';
import '../../../styles/notices.css';

export function NoticesPage() {
  const notices = useResource('notices', fetchNotices);
  const [isAdding, setAdding] = useState(false);
  // The secret is in no cache: when the person leaves the page, it is gone.
  const [made, setMade] = useState<MadeChannel>();
  const [removed, setRemoved] = useState<RemovedRow>();
  const [outcome, setOutcome] = useState<Outcome>();
  const { data } = notices;
  const channels = data?.channels ?? [];

  function show(channel: MadeChannel): void {
    const { secret, ...row } = channel;
    setAdding(false);
    setRemoved(undefined);
    setMade(secret === undefined ? undefined : channel);
    setOutcome(
      secret === undefined ? { words: words.made.title(channel.name), takesFocus: true } : undefined,
    );
    notices.change((now) => ({ ...now, channels: [...now.channels, row] }));
  }

  const addButton = (
    <button type="button" class="button button-primary" onClick={() => setAdding(true)}>
      <Icon name="add" />
      {words.add}
    </button>
  );
  return (
    <Page
      title={words.title}
      lead={words.lead}
      before={<Back href="/settings" label={texts.nav.settings} />}
      actions={!isAdding && channels.length > 0 && addButton}
    >
      <NotLoaded of={[notices]} />
      {isAdding && data && <NewChannel notices={data} onMade={show} onCancel={() => setAdding(false)} />}
      {made !== undefined && <MadeChannelPanel made={made} onDone={() => setMade(undefined)} />}
      <OutcomeLine outcome={outcome} />
      {data && channels.length === 0 && !isAdding && removed === undefined && (
        <Empty icon="outside" title={words.noneTitle} lead={words.noneLead}>
          {addButton}
        </Empty>
      )}
      <Rows label={words.channels} removed={removed}>
        {channels.map((channel, at) => (
          <ChannelRow
            key={channel.id}
            of={channel}
            kinds={data?.kinds ?? []}
            onOutcome={setOutcome}
            onChanged={(changed) =>
              notices.change((now) => ({
                ...now,
                channels: now.channels.map((each) => (each.id === changed.id ? changed : each)),
              }))
            }
            onDeleted={() => {
              notices.change((now) => ({
                ...now,
                channels: now.channels.filter(({ id }) => id !== channel.id),
              }));
              if (made?.id === channel.id) setMade(undefined);
              setRemoved({ words: words.removed(channel.name), takesFocus: true, at });
            }}
          />
        ))}
      </Rows>
      {data && (
        <QuietHoursPanel
          hours={data.quietHours}
          onChanged={(quietHours) => notices.change((now) => ({ ...now, quietHours }))}
        />
      )}
      {data && <DeliveriesPanel channels={channels} />}
    </Page>
  );
}
