// All integrations in the order in which they matter, and on a first visit the steps to a first call.
import { fetchConnections, fetchIntegrations } from '../../api/integrations.ts';
import { isUsable, withState } from '../../connect/state.ts';
import { useConnecting } from '../../connect/use-connecting.tsx';
import { useResource } from '../../state/use-resource.ts';
import { explain, Failed } from '../../parts/failed.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts.ts';
import { FirstSteps } from './first-steps.tsx';
import { Gallery } from './gallery.tsx';

export function IntegrationsPage() {
  const integrations = useResource('integrations', fetchIntegrations);
  const connections = useResource('connections', fetchConnections);
  const { dialog, connect } = useConnecting(connections.reload);
  const failed = integrations.error ?? connections.error;

  if (integrations.data === undefined || connections.data === undefined) {
    return (
      <Page title={texts.integrations.title}>
        {failed === undefined ? (
          <Skeleton rows={6} kind="cards" />
        ) : (
          <Failed
            message={explain(failed)}
            onRetry={() => {
              integrations.reload();
              connections.reload();
            }}
          />
        )}
      </Page>
    );
  }

  const all = withState(integrations.data, connections.data);
  const usable = all.filter(isUsable);
  const connected = usable.filter(({ authType }) => authType !== 'none').length;
  const tools = usable.reduce((sum, { toolCount }) => sum + toolCount, 0);
  return (
    <Page title={texts.integrations.title} lead={texts.integrations.summary(connected, tools)}>
      <FirstSteps usable={usable} />
      <Gallery all={all} onConnect={connect} />
      {dialog}
    </Page>
  );
}
