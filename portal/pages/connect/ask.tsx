// The question itself. The link is used up by the answer, not by looking at it.
import { redeemLink } from '../../api/connect.ts';
import { ApiError } from '../../api/client.ts';
import { fetchMe } from '../../api/auth.ts';
import { ConnectForm } from '../../connect/connect-form.tsx';
import { INSTANCE, instanceFields } from '../../connect/form-fields.ts';
import type { WithState } from '../../connect/state.ts';
import { useConnecting } from '../../connect/use-connecting.tsx';
import { Logo } from '../../parts/logo.tsx';
import { forgetLink } from '../../session/connect-link.ts';
import { navigate } from '../../router/location.ts';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts.ts';
import type { Refusal } from './refused.tsx';

const words = texts.connectLink;

const REFUSALS: Record<string, Refusal> = {
  LINK_CONSUMED: 'used',
  LINK_INVALID: 'invalid',
  ACCOUNT_MISMATCH: 'account',
};

interface Props {
  token: string;
  integration: WithState;
  onRefused: (reason: Refusal) => void;
}

export function Ask({ token, integration, onRefused }: Props) {
  const { name, displayName, logo, authType } = integration;
  const byProvider = authType === 'oauth2';
  const { dialog, connect } = useConnecting(() => {
    forgetLink();
    navigate(`/integrations/${encodeURIComponent(name)}`, { replace: true });
  });

  async function redeem(instanceUrl: string): Promise<void> {
    try {
      const url = await redeemLink(token, instanceUrl);
      forgetLink();
      location.assign(url);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const refusal = REFUSALS[error.code];
      if (refusal !== undefined) onRefused(refusal);
      // The session's own end is everybody's matter: whoever asks next finds it.
      else if (error.code === 'AUTH_REQUIRED') await fetchMe();
      // The link is this person's, and only a browser is missing: their own will do.
      else if (!byProvider && error.status === 503) connect(integration);
      else throw error;
    }
  }

  return (
    <Page title={words.title(displayName)} lead={words.lead} before={<Logo src={logo} name={displayName} />}>
      <section class="panel connect-ask">
        <ConnectForm
          keptAs={`link ${name}`}
          fields={byProvider ? instanceFields(integration, false) : []}
          submitLabel={byProvider ? words.goOn : words.importSession}
          onSubmit={(values) => redeem((values[INSTANCE] ?? '').trim())}
        >
          <p>{byProvider ? words.explain(displayName) : words.explainSession(displayName)}</p>
          <p class="muted">{words.unasked}</p>
        </ConnectForm>
      </section>
      {dialog}
    </Page>
  );
}
