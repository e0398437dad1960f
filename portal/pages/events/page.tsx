// Lists what the person is subscribed to with its health, and the latest events.
import { useState } from 'preact/hooks';
import { fetchSubscriptions } from '../../api/events.ts';
import { fetchIntegrations } from '../../api/integrations.ts';
import { displayNameOf } from '../../parts/display-name.ts';
import { Empty } from '../../parts/empty.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { OutcomeLine } from '../../parts/outcome-line.tsx';
import { Row } from '../../parts/row.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { take } from '../../state/cache.ts';
import { usePollOf } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { eventsTexts as words } from '../../texts/events.ts';
import { texts } from '../../texts/texts.ts';
import { EventStream } from './event-stream.tsx';
import { Health } from './health.tsx';
import { addressOfSubscription, ENDED, titleOf } from './subscription-words.tsx';
import '../../styles/keys.css';
import '../../styles/events.css';

export function EventsPage() {
  // Shown once: what an ended subscription leaves to do.
  const [left] = useState(() => take(ENDED));
  const subscriptions = useResource('subscriptions', fetchSubscriptions);
  const integrations = useResource('integrations', fetchIntegrations);
  usePollOf(subscriptions);
  const { data, error } = subscriptions;
  const nameOf = (name: string) => displayNameOf(name, integrations.data);
  const subscribe = (
    <Link href="/events/new" class="button button-primary">
      {words.subscribe}
    </Link>
  );
  return (
    <Page
      title={words.title}
      lead={words.lead}
      before={<Back href="/agents" label={texts.agents.title} />}
      actions={data !== undefined && data.length > 0 && subscribe}
    >
      <NotLoaded of={[subscriptions]} />
      <OutcomeLine outcome={typeof left === 'string' ? { words: left } : undefined} />
      {data === undefined && error === undefined && <Skeleton rows={3} />}
      {data?.length === 0 && (
        <Empty icon="activity" title={words.none} lead={words.noneLead}>
          {subscribe}
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <>
          <section class="section" aria-labelledby="subscriptions">
            <h2 id="subscriptions" class="section-title">
              {words.subscriptions}
            </h2>
            <ul class="rows" aria-labelledby="subscriptions">
              {data.map((each) => (
                <Row
                  key={each.id}
                  name={<Link href={addressOfSubscription(each.id)}>{titleOf(each, nameOf)}</Link>}
                  heading="h3"
                  facts={<Health of={each} />}
                  actions={
                    each.approval !== null && (
                      <Link
                        href={`/approvals/${encodeURIComponent(each.approval)}`}
                        class="button"
                        aria-label={words.decideOf(titleOf(each, nameOf))}
                      >
                        {words.decide}
                      </Link>
                    )
                  }
                >
                  {each.problem !== null && <p class="event-problem">{each.problem}</p>}
                </Row>
              ))}
            </ul>
          </section>
          <EventStream subscriptions={data} nameOf={nameOf} onNew={subscriptions.look} />
        </>
      )}
    </Page>
  );
}
