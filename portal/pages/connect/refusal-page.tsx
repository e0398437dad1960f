// Explains why a link does not work, and what to do instead.
import { Link } from '../../router/link.tsx';
import type { LinkPage } from '../../session/connect-link.ts';
import { keepReturnPage } from '../../session/return-page.ts';
import { useSession } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts/texts.ts';
import type { Refusal } from './refusal.ts';

const words = texts.connectLink;

export function RefusalPage({ reason, page }: { reason: Refusal; page: LinkPage }) {
  const { me, signOut } = useSession();
  const { title, lead } = words[reason];

  function switchAccount(): void {
    signOut();
    keepReturnPage(page);
  }

  return (
    <Page title={title} lead={typeof lead === 'string' ? lead : lead(me.email)}>
      <div class="row">
        {reason === 'account' && (
          <button type="button" class="button button-primary" onClick={switchAccount}>
            {words.switchAccount}
          </button>
        )}
        <Link href="/" class="button">
          {words.home}
        </Link>
      </div>
    </Page>
  );
}
