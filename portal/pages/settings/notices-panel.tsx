// Leads to the page where people choose what they are told outside the portal.
import { Link } from '../../router/link.tsx';
import { noticesTexts as words } from '../../texts/notices.ts';

export function NoticesPanel() {
  return (
    <section class="panel panel-line" aria-labelledby="notice-channels">
      <div>
        <h2 id="notice-channels">{words.panelTitle}</h2>
        <p class="muted">{words.panelLead}</p>
      </div>
      <Link href="/settings/notices" class="button">
        {words.open}
      </Link>
    </section>
  );
}
