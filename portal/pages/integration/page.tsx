// Shows an integration: its description, connection and tools.
import { useEffect, useState } from 'preact/hooks';
import { fetchIntegrations } from '../../api/integrations.ts';
import { fetchTools } from '../../api/tools.ts';
import { hasWay, usualWay, withState, type WithState } from '../../connect/state.ts';
import type { Method } from '../../connect/methods.tsx';
import { useConnecting } from '../../connect/use-connecting.tsx';
import { useConnections } from '../../state/use-connections.ts';
import { useResource } from '../../state/use-resource.ts';
import { useSetup } from '../../state/use-setup.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Lamp } from '../../parts/lamp.tsx';
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
import { SetupPanel } from './setup-panel.tsx';
import { ToolRows } from './tool-rows.tsx';

const words = texts.integration;

export function IntegrationPage({ params }: PageProps) {
  const integrations = useResource('integrations', fetchIntegrations);
  const connections = useConnections();
  const tools = useResource('tools', fetchTools);
  const { dialog, connect } = useConnecting(() => {
    connections.reload();
    setAgent((now) => (now === 'waits' ? 'served' : now));
  });
  const name = params['name'] ?? '';
  const all = integrations.data && connections.data && withState(integrations.data, connections.data);
  const integration = all?.find((each) => each.name === name);
  const setup = useSetup(integration?.authType === 'oauth2' ? name : '');
  const needed = [integrations, connections, tools, setup];
  const failed = needed.find(({ error }) => error !== undefined);

  // An agent's link names the way. The live view links here with ?connect=session when the gateway has no browser.
  const asked = useLocation().query.get('connect') ?? '';
  const [agent, setAgent] = useState<'none' | 'waits' | 'served'>('none');
  const isKnown = integration !== undefined;
  useEffect(() => {
    if (asked === '' || !isKnown) return;
    setQuery({ connect: '' });
    if (asked !== 'session') setAgent('waits');
    if (asked !== 'session' ? hasWay(integration) : integration.authType === 'cookie')
      connect(integration, readMethod(asked));
  }, [asked, isKnown]);

  const isSetupLoading = setup.data === undefined && setup.error === undefined;
  if (all === undefined || tools.data === undefined || isSetupLoading) {
    return (
      <Page title={words.title} before={<Back />}>
        <NotLoaded of={needed} />
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
            {texts.ways[usualWay(integration)]} · {words.version(version)}
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
      <NotLoaded of={needed} />
      {agent === 'served' && (
        <p class="notice" role="status">
          <Lamp colour="green">{words.backToAgent(displayName)}</Lamp>
        </p>
      )}
      <ConnectionPanel
        integration={integration}
        siblings={nameAll(integration.siblings ?? [], all)}
        onConnect={connect}
        onTested={(now) =>
          connections.change((rows) => rows.map((row) => (row.name === now.name ? now : row)))
        }
        onChange={connections.reload}
      />
      {setup.data && (
        <SetupPanel
          integration={integration}
          setup={setup.data}
          onChange={() => {
            setup.reload();
            integrations.reload();
          }}
        />
      )}
      {authType === 'cookie' && (
        <SessionPanel integration={integration} onImport={(each) => connect(each, 'session')} />
      )}
      {dialog}
      <ToolRows tools={tools.data.filter((tool) => tool.integration === name)} />
    </Page>
  );
}

function readMethod(asked: string): Method | undefined {
  return asked === 'session' || asked === 'token' ? asked : undefined;
}

function nameAll(names: readonly string[], all: readonly WithState[]): string[] {
  return names.map((name) => all.find((each) => each.name === name)?.displayName ?? name);
}

function Back() {
  return (
    <Link href="/" class="back">
      <Icon name="back" />
      {words.back}
    </Link>
  );
}
