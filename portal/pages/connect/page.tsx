// Shows what an agent's connect link is for, and follows it once the person agrees.
import { useState } from 'preact/hooks';
import { fetchConnections, fetchIntegrations } from '../../api/integrations.ts';
import { isUsable, withState } from '../../connect/state.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { forgetLink, readLink } from '../../session/connect-link.ts';
import { Page } from '../../shell/page.tsx';
import { useResource } from '../../state/use-resource.ts';
import { texts } from '../../texts/texts.ts';
import { Ask } from './ask.tsx';
import { Done } from './done.tsx';
import type { Refusal } from './refusal.ts';
import { RefusalPage } from './refusal-page.tsx';

const words = texts.connectLink;

export function ConnectPage() {
  const [link] = useState(() => readLink('/connect'));
  const [refusal, setRefusal] = useState<Refusal | null>(link === null ? 'invalid' : null);
  const integrations = useResource('integrations', fetchIntegrations);
  const connections = useResource('connections', fetchConnections);
  const failed = integrations.error ?? connections.error;

  async function refuse(reason: Refusal): Promise<void> {
    // The link still works for the other account.
    if (reason !== 'account') forgetLink('/connect');
    // Another tab may have used the link successfully.
    if (reason === 'used') await fetchConnections().then(connections.set, () => undefined);
    setRefusal(reason);
  }

  if (link === null || (refusal !== null && refusal !== 'used'))
    return <RefusalPage page="/connect" reason={refusal ?? 'invalid'} />;
  if (integrations.data === undefined || connections.data === undefined) {
    return (
      <Page title={words.titleUnknown} lead={words.lead}>
        <NotLoaded of={[integrations, connections]} />
        {failed === undefined && <Skeleton rows={2} />}
      </Page>
    );
  }
  const all = withState(integrations.data, connections.data);
  const integration = all.find(({ name }) => name === link.integration);
  if (integration === undefined) return <RefusalPage page="/connect" reason="invalid" />;
  if (refusal === null)
    return <Ask token={link.token} account={link.account} integration={integration} onRefused={refuse} />;
  return isUsable(integration) ? (
    <Done integration={integration} />
  ) : (
    <RefusalPage page="/connect" reason="used" />
  );
}
