// Renders the choice of the hours in which the person is told nothing.
import { useState } from 'preact/hooks';
import { chooseQuietHours, type Notices } from '../../../api/notices.ts';
import { ActionButton } from '../../../parts/action-button.tsx';
import { Form } from '../../../parts/form.tsx';
import { type Outcome, OutcomeLine } from '../../../parts/outcome-line.tsx';
import { useWork } from '../../../parts/use-work.ts';
import { noticesTexts } from '../../../texts/notices.ts';

const words = noticesTexts.quiet;
type Hours = Notices['quietHours'];

interface Props {
  hours: Hours;
  onChanged: (hours: Hours) => void;
}

export function QuietHoursPanel({ hours, onChanged }: Props) {
  const [from, setFrom] = useState(hours?.from ?? '22:00');
  const [to, setTo] = useState(hours?.to ?? '07:00');
  const [timeZone, setTimeZone] = useState(
    hours?.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  const [outcome, setOutcome] = useState<Outcome>();
  const { busy, problem, run } = useWork();

  async function save(next: Hours, done: Outcome): Promise<void> {
    await chooseQuietHours(next);
    onChanged(next);
    setOutcome(done);
  }

  return (
    <section class="panel" aria-labelledby="quiet-hours">
      <h2 id="quiet-hours">{words.title}</h2>
      <p class="muted">{words.lead}</p>
      <Form
        class="notices-quiet"
        busy={busy}
        problem={problem}
        submitLabel={words.save}
        onSubmit={() => void run(() => save({ from, to, timeZone: timeZone.trim() }, { words: words.saved }))}
      >
        <div class="notices-quiet-fields">
          <label>
            {words.from}
            <input
              type="time"
              required
              value={from}
              onInput={(event) => setFrom(event.currentTarget.value)}
            />
          </label>
          <label>
            {words.to}
            <input type="time" required value={to} onInput={(event) => setTo(event.currentTarget.value)} />
          </label>
          <label>
            {words.zone}
            <input
              type="text"
              required
              spellcheck={false}
              autoComplete="off"
              value={timeZone}
              placeholder={words.zoneHelp}
              onInput={(event) => setTimeZone(event.currentTarget.value)}
            />
          </label>
        </div>
      </Form>
      {hours !== null && (
        <p class="notices-off">
          <ActionButton
            label={words.off}
            onAct={() => save(null, { words: words.offed, takesFocus: true })}
          />
        </p>
      )}
      <OutcomeLine outcome={outcome} />
    </section>
  );
}
