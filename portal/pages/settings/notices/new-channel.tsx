// Renders the form that adds a channel.
import { useRef, useState } from 'preact/hooks';
import { addChannel, type MadeChannel, type NewChannelForm, type Notices } from '../../../api/notices.ts';
import { ConnectFieldRow } from '../../../connect/connect-field.tsx';
import { focusField } from '../../../parts/focus-field.ts';
import { Form } from '../../../parts/form.tsx';
import { RadioChoices } from '../../../parts/radio-choices.tsx';
import { useWork } from '../../../parts/use-work.ts';
import { noticesTexts } from '../../../texts/notices.ts';
import { canPush, subscribe } from './subscribe.ts';

const words = noticesTexts.form;
type Channel = NewChannelForm['channel'];
const CHOICES = (['webhook', 'slack', 'email', 'push'] as const).map((value) => ({
  value,
  name: noticesTexts.of[value],
  about: noticesTexts.about[value],
}));

interface Props {
  notices: Notices;
  onMade: (made: MadeChannel) => void;
  onCancel: () => void;
}

/** Why this channel cannot be added here. */
function whyNot(channel: Channel, { mail }: Notices): string | undefined {
  if (channel === 'email' && mail === null) return words.noMail;
  return channel === 'push' && !canPush() ? words.noPush : undefined;
}

export function NewChannel({ notices, onMade, onCancel }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [channel, setChannel] = useState<Channel>('webhook');
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [address, setAddress] = useState('');
  const [problems, setProblems] = useState<Record<string, string>>({});
  const { busy, problem, setProblem, run } = useWork();
  const refusal = whyNot(channel, notices);
  const needsUrl = channel === 'webhook' || channel === 'slack';
  const needsAddress = channel === 'email' && notices.mail !== null && notices.mail.address === null;

  async function formOf(): Promise<NewChannelForm> {
    const called = name.trim();
    switch (channel) {
      case 'webhook':
      case 'slack':
        return { channel, name: called, url: url.trim() };
      case 'email':
        return { channel, name: called, ...(needsAddress ? { address: address.trim() } : {}) };
      case 'push':
        return { channel, name: called, ...(await subscribe(notices.pushKey)) };
    }
  }

  function submit(): void {
    const found = {
      ...(name.trim() === '' ? { name: words.nameMissing } : {}),
      ...(needsUrl && !/^https?:\/\/./.test(url.trim()) ? { url: words.urlMissing } : {}),
      ...(needsAddress && !address.includes('@') ? { address: words.emailMissing } : {}),
    };
    setProblem();
    setProblems(found);
    const [wrong] = Object.keys(found);
    if (wrong !== undefined) return focusField(form.current, wrong);
    if (refusal !== undefined) return;
    void run(async () => onMade(await addChannel(await formOf())));
  }

  return (
    <section class="panel" aria-labelledby="new-channel">
      <h2 id="new-channel">{words.title}</h2>
      <Form
        element={form}
        class="connect-form notices-form"
        busy={busy}
        problem={problem}
        submitLabel={words.submit}
        onSubmit={submit}
        onCancel={onCancel}
      >
        <RadioChoices legend={words.kind} choices={CHOICES} chosen={channel} onChoose={setChannel} />
        {refusal !== undefined && <p class="notices-error">{refusal}</p>}
        {channel === 'email' && typeof notices.mail?.address === 'string' && (
          <p class="muted">{words.emailTo(notices.mail.address)}</p>
        )}
        <ConnectFieldRow
          field={{ key: 'name', kind: 'text', label: words.name, required: true, help: words.nameHelp }}
          value={name}
          problem={problems['name'] ?? ''}
          onChange={setName}
        />
        {needsUrl && (
          <ConnectFieldRow
            field={{
              key: 'url',
              kind: 'text',
              label: words.url,
              required: true,
              placeholder:
                channel === 'slack' ? 'https://hooks.slack.com/services/…' : 'https://example.com/hook',
              help: channel === 'slack' ? words.slackHelp : words.urlHelp,
            }}
            value={url}
            problem={problems['url'] ?? ''}
            onChange={setUrl}
          />
        )}
        {needsAddress && (
          <ConnectFieldRow
            field={{
              key: 'address',
              kind: 'text',
              label: words.email,
              required: true,
              help: words.emailHelp,
            }}
            value={address}
            problem={problems['address'] ?? ''}
            onChange={setAddress}
          />
        )}
      </Form>
    </section>
  );
}
