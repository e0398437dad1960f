// Switches this browser's notifications about calls that wait for approval.
import { notifyState } from '../../shell/notifications.ts';
import { peopleTexts } from '../../texts/people.ts';
import { NotifyButton } from '../approvals/notify-button.tsx';

const words = peopleTexts.settings;

export function NotificationsPanel() {
  return (
    <section class="panel panel-line" aria-labelledby="notifications">
      <div>
        <h2 id="notifications">{words.notificationsTitle}</h2>
        <p class="muted">
          {notifyState() === 'unsupported' ? words.notificationsUnsupported : words.notificationsLead}
        </p>
      </div>
      <NotifyButton />
    </section>
  );
}
