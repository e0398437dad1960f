// Why a link leads no further, and what to do instead.
import { Link } from '../../router/link.tsx';
import type { LinkPage } from '../../session/connect-link.ts';
import { keepReturnPage } from '../../session/return-page.ts';
import { useSession } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.connectLink;

export type Refusal = 'used' | 'invalid' | 'account';

export function Refused({ reason, page }: { reason: Refusal; page: LinkPage }) {
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
