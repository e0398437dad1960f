// Shows the explorer: find a tool, fill in its form and run it as an agent would.
import { useMemo, useRef } from 'preact/hooks';
import { type Connection, fetchIntegrations, type Integration } from '../../api/integrations.ts';
import { fetchTools } from '../../api/tools.ts';
import { displayNameOf } from '../../parts/display-name.ts';
import { connectedNames, useConnections } from '../../state/use-connections.ts';
import { useResource } from '../../state/use-resource.ts';
import { Empty } from '../../parts/empty.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useLocation } from '../../router/location.ts';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts/texts.ts';
import '../../styles/explorer.css';
import '../../styles/explorer-form.css';
import { BackToList } from './back-to-list.tsx';
import { ToolFinder } from './tool-finder.tsx';
import { ToolPane } from './tool-pane.tsx';

const words = texts.tools;

export function ToolsPage() {
  const tools = useResource('tools', fetchTools);
  const integrations = useResource('integrations', fetchIntegrations);
  const nameOf = (integration: string) => displayNameOf(integration, integrations.data);
  const logoOf = (integration: string) =>
    integrations.data?.find((each) => each.name === integration)?.logo ?? null;
  const connections = useConnections();
  const isReady = useMemo(
    () => readyIn(integrations.data, connections.data),
    [integrations.data, connections.data],
  );
  // Tools that move to another place later would move under the pointer.
  const isOrderKnown =
    (integrations.data ?? integrations.error) !== undefined &&
    (connections.data ?? connections.error) !== undefined;
  const name = useLocation().query.get('tool') ?? '';
  // Choosing a tool focuses the tool's heading. A visit that begins at a tool focuses the page's heading.
  const atFirst = useRef(name);
  const hasChosen = useRef(false);
  if (name !== atFirst.current) hasChosen.current = true;
  const tool = tools.data?.find((each) => each.name === name);

  return (
    <Page title={words.title} tabTitle={tool?.name} lead={words.lead}>
      <NotLoaded of={[tools]} />
      {(tools.data === undefined || !isOrderKnown) && tools.error === undefined && <Skeleton rows={6} />}
      {tools.data?.length === 0 && <Empty icon="tools" title={words.none} lead="" />}
      {tools.data !== undefined && isOrderKnown && tools.data.length > 0 && (
        <div class={name === '' ? 'explorer' : 'explorer explorer-chosen'}>
          <ToolFinder tools={tools.data} chosen={name} nameOf={nameOf} logoOf={logoOf} isReady={isReady} />
          {tool !== undefined && (
            <ToolPane
              key={name}
              tool={tool}
              nameOf={nameOf}
              logo={logoOf(tool.integration)}
              takeFocus={hasChosen.current}
            />
          )}
          {tool === undefined && (
            <div class="explorer-none">
              {name !== '' && <BackToList />}
              <Empty
                icon="tools"
                title={name === '' ? words.chooseTitle : words.missing(name)}
                lead={name === '' ? words.chooseLead : words.missingLead}
              />
            </div>
          )}
        </div>
      )}
    </Page>
  );
}

/** A list that is not there yet marks nothing. */
function readyIn(
  integrations: readonly Integration[] = [],
  connections?: readonly Connection[],
): (integration: string) => boolean {
  if (connections === undefined) return () => true;
  const connected = connectedNames(connections);
  const open = new Set(integrations.filter(({ authType }) => authType === 'none').map(({ name }) => name));
  return (integration) => connected.has(integration) || open.has(integration);
}
