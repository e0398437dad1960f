// Renders the form that subscribes to webhooks of a service, or of any sender.
import { useId, useState } from 'preact/hooks';
import type { EventSource, SubscribeForm } from '../../api/events.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { Form } from '../../parts/form.tsx';
import { useWork } from '../../parts/use-work.ts';
import { eventsTexts } from '../../texts/events.ts';

const words = eventsTexts.form;

interface Props {
  sources: readonly EventSource[];
  /** A service has more events than the gateway knows. */
  takesAnyEvent: boolean;
  onSubmit: (form: SubscribeForm) => Promise<void>;
}

export function HookForm({ onSubmit, sources, takesAnyEvent }: Props) {
  const [at, setAt] = useState(0);
  const source = sources[at];
  const [event, setEvent] = useState(source?.events[0]?.event ?? '');
  const [account, setAccount] = useState('');
  const [filter, setFilter] = useState('');
  const [args, setArgs] = useState<Record<string, string>>({});
  const { busy, problem, run } = useWork();
  const ids = { source: useId(), event: useId(), events: useId() };
  if (source === undefined) return null;
  const about = source.events.find((each) => each.event === event)?.about;

  function choose(index: number): void {
    setAt(index);
    setEvent(sources[index]?.events[0]?.event ?? '');
    setArgs({});
  }

  function submit(): void {
    if (source === undefined) return;
    const given = Object.entries(args).filter(([, value]) => value.trim() !== '');
    void run(() =>
      onSubmit({
        integration: source.integration,
        event: event.trim(),
        ...(account.trim() === '' ? {} : { account: account.trim() }),
        ...(filter.trim() === '' ? {} : { filter: filter.trim() }),
        ...(given.length === 0 ? {} : { args: Object.fromEntries(given) }),
      }),
    );
  }

  return (
    <Form class="connect-form" busy={busy} problem={problem} submitLabel={words.submit} onSubmit={submit}>
      {sources.length > 1 && (
        <div class="connect-field">
          <label for={ids.source}>{words.service}</label>
          <select
            id={ids.source}
            value={at}
            onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
          >
            {sources.map(({ displayName, integration }, index) => (
              <option key={integration} value={index}>
                {displayName}
              </option>
            ))}
          </select>
        </div>
      )}
      <div class="connect-field">
        <label for={ids.event}>{words.event}</label>
        {takesAnyEvent ? (
          <>
            <input
              id={ids.event}
              list={ids.events}
              value={event}
              autoComplete="off"
              spellcheck={false}
              onInput={({ currentTarget }) => setEvent(currentTarget.value)}
            />
            <datalist id={ids.events}>
              {source.events.map((each) => (
                <option key={each.event} value={each.event}>
                  {each.about}
                </option>
              ))}
            </datalist>
          </>
        ) : (
          <select
            id={ids.event}
            value={event}
            onChange={({ currentTarget }) => setEvent(currentTarget.value)}
          >
            {source.events.map((each) => (
              <option key={each.event} value={each.event}>
                {each.event}
              </option>
            ))}
          </select>
        )}
        <p class="connect-help">{about ?? (takesAnyEvent ? words.eventHelp : '')}</p>
      </div>
      {source.args.map(({ about: help, name }) => (
        <ConnectFieldRow
          key={name}
          field={{
            key: name,
            kind: 'text',
            label: capitalised(name),
            required: false,
            help: `${help}. ${words.argHelp}`,
          }}
          value={args[name] ?? ''}
          problem=""
          onChange={(value) => setArgs({ ...args, [name]: value })}
        />
      ))}
      {source.secret === 'theirs' && (
        <ConnectFieldRow
          field={{
            key: 'secret',
            kind: 'secret',
            label: words.theirSecret,
            required: false,
            help: words.theirSecretHelp,
          }}
          value={args['secret'] ?? ''}
          problem=""
          onChange={(value) => setArgs({ ...args, secret: value })}
        />
      )}
      {source.makesWebhook && (
        <ConnectFieldRow
          field={{
            key: 'account',
            kind: 'text',
            label: words.account,
            required: false,
            help: words.accountHelp,
          }}
          value={account}
          problem=""
          onChange={setAccount}
        />
      )}
      <ConnectFieldRow
        field={{ key: 'filter', kind: 'text', label: words.filter, required: false, help: words.filterHelp }}
        value={filter}
        problem=""
        onChange={setFilter}
      />
    </Form>
  );
}

const capitalised = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
