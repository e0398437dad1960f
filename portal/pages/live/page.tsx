// Lets the person sign in to an integration's site in their browser on the gateway.
import { captureByLink, captureSession, cancelLogIn, channelBase, startLogIn } from '../../api/live.ts';
import { fetchIntegrations } from '../../api/integrations.ts';
import { takePendingLogin } from '../../connect/open-live.ts';
import { LiveView } from '../../live/view/live-view.tsx';
import { explain, ErrorNotice } from '../../parts/error-notice.tsx';
import { Logo } from '../../parts/logo.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { navigate } from '../../router/location.ts';
import type { PageProps } from '../../router/match.ts';
import { forgetLink } from '../../session/connect-link.ts';
import { forgetStart, readStart } from '../../session/live-start.ts';
import { Page } from '../../shell/page.tsx';
import { announceConnected } from '../../session/news.ts';
import { useResource } from '../../state/use-resource.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.live;

export function LivePage({ params }: PageProps) {
  const name = params['integration'] ?? '';
  const integrations = useResource('integrations', fetchIntegrations);
  const integration = integrations.data?.find((each) => each.name === name && each.authType === 'cookie');
  const page = `/integrations/${encodeURIComponent(name)}`;

  if (integration === undefined) {
    const { data, error } = integrations;
    const title = data === undefined ? words.page : texts.integration.missingTitle;
    return (
      <main>
        <Page title={title}>
          {data === undefined && error === undefined && <Skeleton rows={4} />}
          {error !== undefined && <ErrorNotice message={explain(error)} onRetry={integrations.reload} />}
          {data !== undefined && <Link href="/">{texts.notFound.home}</Link>}
        </Page>
      </main>
    );
  }

  const { displayName, logo } = integration;
  const { instanceUrl, token, account } = readStart(name) ?? { instanceUrl: '', token: '', account: '' };

  function leave(to: string): void {
    forgetStart();
    navigate(to, { replace: true });
  }

  return (
    <LiveView
      title={account === '' ? words.title(displayName) : words.titleAs(displayName, account)}
      logo={<Logo src={logo} name={displayName} />}
      base={channelBase(name)}
      account={account}
      begin={async (attached) =>
        takePendingLogin() ?? (await startLogIn(attached, name, instanceUrl, account))
      }
      finish={{
        name: account === '' ? displayName : `${displayName} (${account})`,
        act: async (attached) => {
          await (token === '' ? captureSession(attached, name) : captureByLink(attached, token));
          forgetLink('/connect');
          announceConnected(name);
          leave(page);
        },
      }}
      leaveLabel={words.cancel}
      onLeave={(attached) => {
        if (attached !== null) void cancelLogIn(attached, name);
        leave(page);
      }}
      back={
        <Link class="button" href={page}>
          {texts.tools.goConnect}
        </Link>
      }
      instead={
        <Link class="button" href={`${page}?connect=session`}>
          {words.method.instead}
        </Link>
      }
    />
  );
}
