// Where an agent's link leads: what it is for, and nothing done before the person says so.
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
import { Refused, type Refusal } from './refused.tsx';

const words = texts.connectLink;

export function ConnectPage() {
  const [link] = useState(() => readLink('/connect'));
  const [refusal, setRefusal] = useState<Refusal | null>(link === null ? 'invalid' : null);
  const integrations = useResource('integrations', fetchIntegrations);
  const connections = useResource('connections', fetchConnections);
  const failed = integrations.error ?? connections.error;

  async function refuse(reason: Refusal): Promise<void> {
    // For another account it is as good as it was.
    if (reason !== 'account') forgetLink('/connect');
    // Another tab may have followed it to its end.
    if (reason === 'used') await fetchConnections().then(connections.set, () => undefined);
    setRefusal(reason);
  }

  if (link === null || (refusal !== null && refusal !== 'used'))
    return <Refused page="/connect" reason={refusal ?? 'invalid'} />;
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
  if (integration === undefined) return <Refused page="/connect" reason="invalid" />;
  if (refusal === null) return <Ask token={link.token} integration={integration} onRefused={refuse} />;
  return isUsable(integration) ? (
    <Done integration={integration} />
  ) : (
    <Refused page="/connect" reason="used" />
  );
}
