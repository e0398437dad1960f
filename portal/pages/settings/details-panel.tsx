// Lets people choose whether the arguments and results of their calls are kept.
import { useState } from 'preact/hooks';
import { changeMyself, type Myself } from '../../api/people.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { callTexts } from '../../texts/call.ts';

const words = callTexts.keep;

interface Props {
  chosen: Myself['callDetails'];
  onChange: (myself: Myself) => void;
}

export function DetailsPanel({ chosen, onChange }: Props) {
  const [outcome, setOutcome] = useState<Outcome>();

  async function choose(callDetails: 'kept' | 'off'): Promise<void> {
    onChange(await changeMyself({ callDetails }));
    // The pressed button has disappeared.
    setOutcome({ words: callDetails === 'kept' ? words.started : words.stopped, takesFocus: true });
  }

  return (
    <section class="panel panel-line" aria-labelledby="call-details">
      <div>
        <h2 id="call-details">{words.title}</h2>
        <p class="muted">{words[chosen]}</p>
        <OutcomeLine outcome={outcome} />
      </div>
      <div class="row">
        {chosen === 'kept' && (
          <ConfirmButton label={words.stop} title={words.stopTitle} onConfirm={() => choose('off')}>
            <p>{words.stopEffect}</p>
          </ConfirmButton>
        )}
        {chosen === 'off' && <ActionButton label={words.start} onAct={() => choose('kept')} />}
      </div>
    </section>
  );
}
