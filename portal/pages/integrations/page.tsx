// Shows all integrations, most important first, and the steps to a first call for a new person.
import { useMemo } from 'preact/hooks';
import { fetchIntegrations } from '../../api/integrations.ts';
import { isBuiltIn, isUsable, withState } from '../../connect/state.ts';
import { useConnecting } from '../../connect/use-connecting.tsx';
import { useConnections } from '../../state/use-connections.ts';
import { useImports } from '../../state/use-imports.ts';
import { useResource } from '../../state/use-resource.ts';
import { Icon } from '../../parts/icon.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts/texts.ts';
import { popularFirst } from './sections.ts';
import { Gallery } from './gallery.tsx';
import { hasClient } from './steps.ts';
import { useFirstSteps } from './use-first-steps.ts';

export function IntegrationsPage() {
  const integrations = useResource('integrations', fetchIntegrations);
  const connections = useConnections();
  const imports = useImports();
  const { Panel: FirstSteps, ...steps } = useFirstSteps();
  const { dialog, connect } = useConnecting(connections.reload);
  const failed = integrations.error ?? connections.error;
  const all = useMemo(
    () => popularFirst(withState(integrations.data ?? [], connections.data ?? [], imports.data?.imports)),
    [integrations.data, connections.data, imports.data],
  );

  // Marks that appear later would move the cards.
  const areImportsKnown = imports.data !== undefined || imports.error !== undefined;
  const isKnown = steps.isKnown && areImportsKnown;
  if (integrations.data === undefined || connections.data === undefined || !isKnown) {
    return (
      <Page title={texts.integrations.title}>
        <NotLoaded of={[integrations, connections]} />
        {failed === undefined && <Skeleton rows={6} kind="cards" />}
      </Page>
    );
  }

  // The steps are open for sure until a client has called.
  const calls = steps.newest.data;
  const isBelowSteps = !steps.hidden && calls !== undefined && !hasClient(calls);
  const usable = all.filter(isUsable);
  const connected = usable.filter((each) => !isBuiltIn(each)).length;
  const tools = usable.reduce((sum, { toolCount }) => sum + toolCount, 0);
  return (
    <Page
      title={texts.integrations.title}
      lead={texts.integrations.summary(connected, tools)}
      actions={
        <Link href="/integrations/add" class="button">
          <Icon name="add" />
          {texts.integrations.add}
        </Link>
      }
    >
      <NotLoaded of={[integrations, connections, imports]} />
      {!steps.hidden && FirstSteps && (
        <FirstSteps isAboveGallery all={all} steps={steps} onConnect={connect} />
      )}
      <Gallery
        all={all}
        imports={imports.data?.imports ?? []}
        isBelowSteps={isBelowSteps}
        onConnect={connect}
      />
      {dialog}
    </Page>
  );
}
