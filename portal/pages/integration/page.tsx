// Shows an integration: its description, connection and tools.
import { useEffect } from 'preact/hooks';
import { fetchIntegrations } from '../../api/integrations.ts';
import { fetchTools } from '../../api/tools.ts';
import { withState } from '../../connect/state.ts';
import { useConnecting } from '../../connect/use-connecting.tsx';
import { useConnections } from '../../state/use-connections.ts';
import { useResource } from '../../state/use-resource.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Logo } from '../../parts/logo.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import type { PageProps } from '../../router/match.ts';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts/texts.ts';
import { StateLamp } from '../integrations/state-lamp.tsx';
import { ConnectionPanel } from './connection-panel.tsx';
import { SessionPanel } from './session-panel.tsx';
import { ToolRows } from './tool-rows.tsx';

const words = texts.integration;

export function IntegrationPage({ params }: PageProps) {
  const integrations = useResource('integrations', fetchIntegrations);
  const connections = useConnections();
  const tools = useResource('tools', fetchTools);
  const { dialog, connect } = useConnecting(connections.reload);
  const failed = integrations.error ?? connections.error ?? tools.error;
  const name = params['name'] ?? '';
  const integration =
    integrations.data &&
    connections.data &&
    withState(integrations.data, connections.data).find((each) => each.name === name);

  // The live view links here with ?connect=session when the gateway has no browser.
  const asksSession = useLocation().query.get('connect') === 'session';
  const isKnown = integration !== undefined;
  useEffect(() => {
    if (!asksSession || !isKnown) return;
    setQuery({ connect: '' });
    if (integration.authType === 'cookie') connect(integration, 'session');
  }, [asksSession, isKnown]);

  if (integrations.data === undefined || connections.data === undefined || tools.data === undefined) {
    return (
      <Page title={words.title} before={<Back />}>
        <NotLoaded of={[integrations, connections, tools]} />
        {failed === undefined && <Skeleton rows={4} />}
      </Page>
    );
  }

  if (integration === undefined) {
    return <Page title={words.missingTitle} lead={words.missingLead} before={<Back />} />;
  }
  const { displayName, description, logo, version, authType } = integration;
  return (
    <Page
      title={displayName}
      lead={
        <>
          {description}
          <span class="facts">
            {texts.authTypes[authType]} · {words.version(version)}
          </span>
        </>
      }
      before={
        <>
          <Back />
          <Logo src={logo} name={displayName} />
        </>
      }
      actions={<StateLamp integration={integration} />}
    >
      <NotLoaded of={[integrations, connections, tools]} />
      <ConnectionPanel integration={integration} onConnect={connect} onChange={connections.reload} />
      {authType === 'cookie' && (
        <SessionPanel integration={integration} onImport={(each) => connect(each, 'session')} />
      )}
      {dialog}
      <ToolRows tools={tools.data.filter((tool) => tool.integration === name)} />
    </Page>
  );
}

function Back() {
  return (
    <Link href="/" class="back">
      <Icon name="back" />
      {words.back}
    </Link>
  );
}
