// Why a link leads no further, and what to do instead.
import { Link } from '../../router/link.tsx';
import { keepReturnPage } from '../../session/return-page.ts';
import { useSession } from '../../session/session.ts';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts.ts';

const words = texts.connectLink;

export type Refusal = 'used' | 'invalid' | 'account';

export function Refused({ reason }: { reason: Refusal }) {
  const { me, signOut } = useSession();
  const { title, lead } = words[reason];

  async function switchAccount(): Promise<void> {
    await signOut();
    keepReturnPage('/connect');
  }

  return (
    <Page title={title} lead={typeof lead === 'string' ? lead : lead(me.email)}>
      <div class="row">
        {reason === 'account' && (
          <button type="button" class="button button-primary" onClick={() => void switchAccount()}>
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
