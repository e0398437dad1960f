// Asks before it follows a link to the person's browser, then shows the browser.
import { useState } from 'preact/hooks';
import { channelBase } from '../../api/live.ts';
import { openLiveByLink, takePendingLogin } from '../../connect/open-live.ts';
import { LiveView } from '../../live/view/live-view.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { navigate } from '../../router/location.ts';
import { forgetLink, readLink } from '../../session/connect-link.ts';
import { forgetStart, readStart } from '../../session/live-start.ts';
import { Page } from '../../shell/page.tsx';
import { Shell } from '../../shell/shell.tsx';
import { useWanted } from '../../state/use-wanted.ts';
import { texts } from '../../texts/texts.ts';
import { follow, type Refusal } from '../connect/refusal.ts';
import { RefusalPage } from '../connect/refusal-page.tsx';

const words = texts.live.browser;

export function BrowserPage() {
  const [link] = useState(() => readLink('/browser'));
  const [isOpen, setOpen] = useState(() => link === null && readStart('') !== null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const isWanted = useWanted();

  if (isOpen) {
    return (
      <LiveView
        title={texts.live.browserTitle}
        base={channelBase('')}
        begin={async () => {
          takePendingLogin();
          return '';
        }}
        finish={null}
        leaveLabel={texts.live.leave}
        onLeave={() => {
          forgetStart();
          navigate('/', { replace: true });
        }}
      />
    );
  }

  function refuse(reason: Refusal): void {
    if (reason !== 'account') forgetLink('/browser');
    setRefusal(reason);
  }

  async function open(token: string): Promise<void> {
    await openLiveByLink({ integration: '', instanceUrl: '', account: '', token }, isWanted);
    forgetLink('/browser');
    setOpen(true);
  }

  return (
    <Shell>
      {link === null || refusal !== null ? (
        <RefusalPage page="/browser" reason={refusal ?? 'invalid'} />
      ) : (
        <Page title={words.title} lead={words.lead}>
          <section class="panel connect-ask connect-form">
            <p>{words.explain}</p>
            <p class="muted">{words.unasked}</p>
            <div class="row">
              <ActionButton primary label={words.goOn} onAct={() => follow(() => open(link.token), refuse)} />
            </div>
          </section>
        </Page>
      )}
    </Shell>
  );
}
