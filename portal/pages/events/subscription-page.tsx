// Shows one subscription: its health, its settings, where its events go on to, and its events.
import { useState } from 'preact/hooks';
import { fetchSubscriptions, renewEventSecret, type Subscription, unsubscribe } from '../../api/events.ts';
import { fetchIntegrations } from '../../api/integrations.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { displayNameOf } from '../../parts/display-name.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { navigate } from '../../router/location.ts';
import type { PageProps } from '../../router/match.ts';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { keep } from '../../state/cache.ts';
import { usePollOf } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { eventsTexts } from '../../texts/events.ts';
import { AddressPanel } from './address-panel.tsx';
import { EventStream } from './event-stream.tsx';
import { Health } from './health.tsx';
import { SecretPanel } from './secret-panel.tsx';
import { ENDED, titleOf } from './subscription-words.tsx';
import '../../styles/keys.css';
import '../../styles/events.css';

const words = eventsTexts.one;

export function SubscriptionPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const subscriptions = useResource('subscriptions', fetchSubscriptions);
  const integrations = useResource('integrations', fetchIntegrations);
  usePollOf(subscriptions);
  const { data, error } = subscriptions;
  const nameOf = (name: string) => displayNameOf(name, integrations.data);
  const found = data?.find((each) => each.id === id);
  const back = <Back href="/events" label={eventsTexts.title} />;

  if (data !== undefined && found === undefined)
    return (
      <Page title={words.missingTitle} lead={words.missingLead} before={back}>
        <Link href="/events" class="button">
          {words.goBack}
        </Link>
      </Page>
    );
  const change = (next: Subscription) =>
    subscriptions.change((known) => known.map((each) => (each.id === id ? next : each)));
  return (
    <Page title={found === undefined ? eventsTexts.title : titleOf(found, nameOf)} before={back}>
      <NotLoaded of={[subscriptions]} />
      {data === undefined && error === undefined && <Skeleton rows={5} />}
      {found && (
        <>
          <Facts subscription={found} name={titleOf(found, nameOf)} onEnded={subscriptions.reload} />
          <AddressPanel subscription={found} onChanged={change} />
          <EventStream subscriptions={[found]} only={id} nameOf={nameOf} onNew={subscriptions.look} />
        </>
      )}
    </Page>
  );
}

interface FactsProps {
  subscription: Subscription;
  name: string;
  onEnded: () => void;
}

function Facts({ subscription, name, onEnded }: FactsProps) {
  const { approval, args, by, createdAt, filter, id, kind, problem, registered } = subscription;
  const [secret, setSecret] = useState<string>();
  const canRenew = kind === 'webhook' && !registered && approval === null;
  return (
    <section class="panel" aria-label={words.facts}>
      <p class="muted agent-facts">
        <Health of={subscription} />
        <span>
          {words.by(by)}, <RelativeTime at={createdAt} />
        </span>
      </p>
      {problem !== null && <p class="event-problem">{problem}</p>}
      {registered && <p class="muted">{words.byGateway}</p>}
      {filter !== null && <CodeBlock code={filter} label={words.filter} />}
      {Object.keys(args).length > 0 && <CodeBlock code={JSON.stringify(args, null, 2)} label={words.args} />}
      {secret !== undefined && (
        <SecretPanel title={eventsTexts.made.secret} secret={secret} onDone={() => setSecret(undefined)} />
      )}
      <div class="row event-actions">
        {approval !== null && (
          <Link href={`/approvals/${encodeURIComponent(approval)}`} class="button">
            {eventsTexts.decide}
          </Link>
        )}
        {canRenew && (
          <ConfirmButton
            label={words.secret}
            title={words.secretTitle}
            onConfirm={async () => setSecret((await renewEventSecret(id, {})).secret ?? undefined)}
          >
            <p>{words.secretEffect}</p>
          </ConfirmButton>
        )}
        <ConfirmButton
          label={words.remove}
          title={words.removeTitle(name)}
          onConfirm={async () => {
            const { next } = await unsubscribe(id);
            onEnded();
            navigate('/events');
            keep(ENDED, next);
          }}
        >
          <p>{words.removeEffect}</p>
        </ConfirmButton>
      </div>
    </section>
  );
}
