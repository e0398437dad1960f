// Renders the form that sets a schedule.
import { useState } from 'preact/hooks';
import type { SubscribeForm } from '../../api/events.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { Form } from '../../parts/form.tsx';
import { useWork } from '../../parts/use-work.ts';
import { eventsTexts } from '../../texts/events.ts';

const words = eventsTexts.form;

export function ScheduleForm({ onSubmit }: { onSubmit: (form: SubscribeForm) => Promise<void> }) {
  const [cron, setCron] = useState('0 8 * * 1-5');
  const [timeZone, setTimeZone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState('');
  const { busy, problem, run } = useWork();

  function submit(): void {
    const isWrong = cron.trim().split(/\s+/).length !== 5;
    setWrong(isWrong ? words.cronMissing : '');
    if (isWrong) return;
    const args = { cron: cron.trim(), timeZone: timeZone.trim() };
    void run(() =>
      onSubmit({
        integration: 'schedule',
        args: text.trim() === '' ? args : { ...args, text: text.trim() },
      }),
    );
  }

  return (
    <Form class="connect-form" busy={busy} problem={problem} submitLabel={words.submit} onSubmit={submit}>
      <ConnectFieldRow
        field={{ key: 'cron', kind: 'text', label: words.cron, required: true, help: words.cronHelp }}
        value={cron}
        problem={wrong}
        onChange={setCron}
      />
      <ConnectFieldRow
        field={{ key: 'timeZone', kind: 'text', label: words.timeZone, required: true, help: '' }}
        value={timeZone}
        problem=""
        onChange={setTimeZone}
      />
      <ConnectFieldRow
        field={{ key: 'text', kind: 'text', label: words.text, required: false, help: words.textHelp }}
        value={text}
        problem=""
        onChange={setText}
      />
    </Form>
  );
}
