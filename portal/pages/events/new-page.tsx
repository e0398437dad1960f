// Subscribes to events: webhooks of a service or of any sender, a watch of a tool, or a schedule.
import { useState } from 'preact/hooks';
import {
  type EventSource,
  fetchEventSources,
  subscribe,
  type SubscribedAnswer,
  type SubscribeForm,
} from '../../api/events.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { RadioChoices } from '../../parts/radio-choices.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { navigate } from '../../router/location.ts';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { useResource } from '../../state/use-resource.ts';
import { eventsTexts } from '../../texts/events.ts';
import { HookForm } from './hook-form.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { SecretPanel } from './secret-panel.tsx';
import { addressOfSubscription, ANY_SENDER } from './subscription-words.tsx';
import { WatchForm } from './watch-form.tsx';
import '../../styles/keys.css';
import '../../styles/events.css';

const words = eventsTexts.form;
const CHOICES = (['webhook', 'watch', 'schedule', 'sender'] as const).map((value) => ({
  value,
  name: words.sources[value],
  about: words.abouts[value],
}));
type Choice = (typeof CHOICES)[number]['value'];

export function NewSubscriptionPage() {
  const sources = useResource('event sources', fetchEventSources);
  const [choice, setChoice] = useState<Choice>('webhook');
  const [made, setMade] = useState<SubscribedAnswer>();
  const { data, error } = sources;

  async function submit(form: SubscribeForm): Promise<void> {
    const answer = await subscribe(form);
    const { address, items, next, secret } = answer;
    const saysMore = [address, items, next, secret].some((each) => each !== undefined);
    if (saysMore) setMade(answer);
    else navigate(addressOfSubscription(answer.id));
  }

  return (
    <Page title={words.title} lead={words.lead} before={<Back href="/events" label={eventsTexts.title} />}>
      <NotLoaded of={[sources]} />
      {data === undefined && error === undefined && <Skeleton rows={5} />}
      {data && made === undefined && (
        <section class="panel event-form" aria-label={words.title}>
          <RadioChoices legend={words.source} choices={CHOICES} chosen={choice} onChoose={setChoice} />
          <ChosenForm key={choice} choice={choice} sources={data} onSubmit={submit} />
        </section>
      )}
      {made && (
        <SecretPanel
          title={eventsTexts.made.title}
          address={made.address}
          secret={made.secret}
          next={[made.items === undefined ? undefined : eventsTexts.made.items(made.items), made.next]
            .filter((each) => each !== undefined)
            .join(' ')}
          onDone={() => navigate(addressOfSubscription(made.id))}
        />
      )}
    </Page>
  );
}

interface ChosenProps {
  choice: Choice;
  sources: readonly EventSource[];
  onSubmit: (form: SubscribeForm) => Promise<void>;
}

function ChosenForm({ choice, sources, onSubmit }: ChosenProps) {
  const hooks = sources.filter(({ kind }) => kind === 'webhook');
  switch (choice) {
    case 'webhook':
      return (
        <HookForm
          sources={hooks.filter(({ integration }) => integration !== ANY_SENDER)}
          takesAnyEvent
          onSubmit={onSubmit}
        />
      );
    case 'sender':
      return (
        <HookForm
          sources={hooks.filter(({ integration }) => integration === ANY_SENDER)}
          takesAnyEvent={false}
          onSubmit={onSubmit}
        />
      );
    case 'watch':
      return <WatchForm onSubmit={onSubmit} />;
    case 'schedule':
      return <ScheduleForm onSubmit={onSubmit} />;
  }
}
