// Asks whether to connect. Only the answer uses the link up; opening the page does not.
import { redeemLink } from '../../api/connect.ts';
import { ConnectForm } from '../../connect/connect-form.tsx';
import { INSTANCE, instanceFields } from '../../connect/form-fields.ts';
import { openLiveByLink } from '../../connect/open-live.ts';
import { isKnown, type WithState } from '../../connect/state.ts';
import { targetNamed } from '../../connect/target.ts';
import { useConnecting } from '../../connect/use-connecting.tsx';
import { Logo } from '../../parts/logo.tsx';
import { forgetLink } from '../../session/connect-link.ts';
import { navigate } from '../../router/location.ts';
import { Page } from '../../shell/page.tsx';
import { useWanted } from '../../state/use-wanted.ts';
import { accountsTexts } from '../../texts/accounts.ts';
import { texts } from '../../texts/texts.ts';
import { follow, lacksBrowser, type Refusal } from './refusal.ts';

const words = texts.connectLink;

interface Props {
  token: string;
  /** The label of the account that the link names. Empty without one. */
  account: string;
  integration: WithState;
  onRefused: (reason: Refusal) => Promise<void>;
}

export function Ask({ token, account, integration, onRefused }: Props) {
  const { name, displayName, logo, authType } = integration;
  const byProvider = authType === 'oauth2';
  const target = targetNamed(integration, account);
  const isWanted = useWanted();
  const { dialog, connect } = useConnecting(() => {
    forgetLink('/connect');
    if (isWanted()) navigate(`/integrations/${encodeURIComponent(name)}`, { replace: true });
  });

  async function toProvider(instanceUrl: string): Promise<void> {
    const redeemed = await redeemLink(token, instanceUrl);
    forgetLink('/connect');
    if (redeemed.type === 'oauth2' && isWanted()) location.assign(redeemed.url);
  }

  async function toBrowser(instanceUrl: string): Promise<void> {
    try {
      await openLiveByLink({ integration: name, instanceUrl, account, token }, isWanted);
    } catch (error) {
      // The gateway has no browser, so the person can import a session from their own.
      if (!lacksBrowser(error)) throw error;
      connect(integration, 'session', target);
    }
  }

  return (
    <Page title={words.title(displayName)} lead={words.lead} before={<Logo src={logo} name={displayName} />}>
      <section class="panel connect-ask">
        <ConnectForm
          keptAs={`link ${name}`}
          fields={instanceFields(integration, isKnown(integration))}
          submitLabel={words.goOn}
          onSubmit={(values) => {
            const instanceUrl = (values[INSTANCE] ?? '').trim();
            return follow(() => (byProvider ? toProvider : toBrowser)(instanceUrl), onRefused);
          }}
        >
          {target !== undefined && (
            <p class="connect-account">
              {target.kind === 'renew'
                ? accountsTexts.renews(account, displayName)
                : accountsTexts.adds(account, displayName)}
            </p>
          )}
          <p>{byProvider ? words.explain(displayName) : words.explainBrowser(displayName)}</p>
          <p class="muted">{words.unasked}</p>
        </ConnectForm>
      </section>
      {dialog}
    </Page>
  );
}
