// Shows where the events of a subscription go on to, and changes it.
import { useState } from 'preact/hooks';
import { deliverNowhere, deliverTo, type NewAddress, type Subscription } from '../../api/events.ts';
import { changeChannel, testChannel } from '../../api/notices.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Form } from '../../parts/form.tsx';
import { Lamp, type LampColour } from '../../parts/lamp.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { useWork } from '../../parts/use-work.ts';
import { Link } from '../../router/link.tsx';
import { eventsTexts } from '../../texts/events.ts';
import { SecretPanel } from './secret-panel.tsx';

const words = eventsTexts.address;
const COLOURS: Record<NewAddress['state'], LampColour> = {
  new: 'off',
  ok: 'green',
  failing: 'amber',
  disabled: 'red',
};

interface Props {
  subscription: Subscription;
  onChanged: (subscription: Subscription) => void;
}

export function AddressPanel({ subscription, onChanged }: Props) {
  const { deliverTo: address, id } = subscription;
  const [isChanging, setChanging] = useState(false);
  const [made, setMade] = useState<NewAddress>();
  const [outcome, setOutcome] = useState<Outcome>();

  if (made !== undefined)
    return (
      <SecretPanel
        title={words.secretTitle(made.place)}
        lead={words.secretOnce}
        secret={made.secret}
        onDone={() => setMade(undefined)}
      />
    );
  return (
    <section class="panel" aria-labelledby="send-on">
      <h2 id="send-on">{words.title}</h2>
      <p class="muted">{words.lead}</p>
      <OutcomeLine outcome={outcome} />
      {address === null || isChanging ? (
        <AddressForm
          onCancel={address === null ? undefined : () => setChanging(false)}
          onSubmit={async (url) => {
            const { secret, ...next } = await deliverTo(id, { url });
            onChanged({ ...subscription, deliverTo: next });
            setChanging(false);
            setMade({ ...next, ...(secret === undefined ? {} : { secret }) });
          }}
        />
      ) : (
        <>
          <p class="agent-facts">
            <strong>{address.place}</strong>
            <Lamp colour={COLOURS[address.state]}>{words.states[address.state]}</Lamp>
            {address.lastSentAt !== null && (
              <span class="muted">
                {words.lastSent} <RelativeTime at={address.lastSentAt} />
              </span>
            )}
          </p>
          {address.lastError !== null && <p class="event-problem">{address.lastError}</p>}
          <div class="row">
            {address.state === 'disabled' ? (
              <ActionButton
                label={words.enable}
                onAct={async () => {
                  await changeChannel(address.id, { disabled: false });
                  onChanged({ ...subscription, deliverTo: { ...address, state: 'new' } });
                }}
              />
            ) : (
              <ActionButton
                label={words.test}
                onAct={async () => {
                  await testChannel(address.id);
                  setOutcome({ words: words.tested });
                }}
              />
            )}
            <Link href="/settings/notices" class="button">
              {words.deliveries}
            </Link>
            <button type="button" class="button" onClick={() => setChanging(true)}>
              {words.change}
            </button>
            <ConfirmButton
              label={words.remove}
              title={words.removeTitle(address.place)}
              onConfirm={async () => {
                await deliverNowhere(id);
                onChanged({ ...subscription, deliverTo: null });
              }}
            >
              <p>{words.removeEffect}</p>
            </ConfirmButton>
          </div>
        </>
      )}
    </section>
  );
}

interface FormProps {
  onSubmit: (url: string) => Promise<void>;
  onCancel: (() => void) | undefined;
}

function AddressForm({ onCancel, onSubmit }: FormProps) {
  const [url, setUrl] = useState('');
  const [wrong, setWrong] = useState('');
  const { busy, problem, run } = useWork();

  function submit(): void {
    const isWrong = !/^https?:\/\/./.test(url.trim());
    setWrong(isWrong ? words.urlMissing : '');
    if (!isWrong) void run(() => onSubmit(url.trim()));
  }

  return (
    <Form
      class="connect-form"
      busy={busy}
      problem={problem}
      submitLabel={words.submit}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <ConnectFieldRow
        field={{
          key: 'url',
          kind: 'text',
          label: words.url,
          required: true,
          placeholder: 'https://example.com/hook',
          help: words.urlHelp,
        }}
        value={url}
        problem={wrong}
        onChange={setUrl}
      />
    </Form>
  );
}
