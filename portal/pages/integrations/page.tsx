// Shows all integrations, most important first, and the steps to a first call for a new person.
import { useMemo } from 'preact/hooks';
import { fetchIntegrations } from '../../api/integrations.ts';
import { isUsable, withState } from '../../connect/state.ts';
import { useConnecting } from '../../connect/use-connecting.tsx';
import { useConnections } from '../../state/use-connections.ts';
import { useResource } from '../../state/use-resource.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts/texts.ts';
import { popularFirst } from './sections.ts';
import { FirstSteps, useFirstSteps } from './first-steps.tsx';
import { Gallery } from './gallery.tsx';

export function IntegrationsPage() {
  const integrations = useResource('integrations', fetchIntegrations);
  const connections = useConnections();
  const steps = useFirstSteps();
  const { dialog, connect } = useConnecting(connections.reload);
  const failed = integrations.error ?? connections.error;
  const all = useMemo(
    () => popularFirst(withState(integrations.data ?? [], connections.data ?? [])),
    [integrations.data, connections.data],
  );

  if (integrations.data === undefined || connections.data === undefined || !steps.isKnown) {
    return (
      <Page title={texts.integrations.title}>
        <NotLoaded of={[integrations, connections]} />
        {failed === undefined && <Skeleton rows={6} kind="cards" />}
      </Page>
    );
  }

  const usable = all.filter(isUsable);
  const connected = usable.filter(({ authType }) => authType !== 'none').length;
  const tools = usable.reduce((sum, { toolCount }) => sum + toolCount, 0);
  return (
    <Page title={texts.integrations.title} lead={texts.integrations.summary(connected, tools)}>
      <NotLoaded of={[integrations, connections]} />
      {!steps.hidden && <FirstSteps all={all} steps={steps} />}
      <Gallery all={all} onConnect={connect} />
      {dialog}
    </Page>
  );
}
