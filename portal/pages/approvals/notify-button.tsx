// Lets the person switch the browser's notifications on and off. Nothing is asked before they press the button.
import { useState } from 'preact/hooks';
import { notify, notifyState, turnNotificationsOff, turnNotificationsOn } from '../../shell/notifications.ts';
import { approvalsTexts } from '../../texts/approvals.ts';
import '../../styles/notify.css';

const words = approvalsTexts.notify;

export function NotifyButton() {
  const [state, setState] = useState(notifyState);
  const [said, setSaid] = useState('');
  if (state === 'unsupported') return null;

  async function turnOn(): Promise<void> {
    const now = await turnNotificationsOn();
    setState(now);
    if (now === 'blocked') return setSaid(words.blocked);
    if (now !== 'on') return;
    // The first notification shows what they look like, and whether this browser has them at all.
    if (notify(words.trialTitle, { body: words.trial, path: '/approvals' })) return setSaid(words.on);
    setState(turnNotificationsOff());
    setSaid(words.refused);
  }

  function turnOff(): void {
    setState(turnNotificationsOff());
    setSaid(words.off);
  }

  return (
    <div class="notify">
      <button
        type="button"
        class="button"
        onClick={() => {
          if (state === 'on') turnOff();
          else if (state === 'blocked') setSaid(words.blocked);
          else void turnOn();
        }}
      >
        {state === 'on' ? words.turnOff : words.turnOn}
      </button>
      <p class="notify-said muted" role="status">
        {said}
      </p>
    </div>
  );
}
