// Shows an integration: its description, connection and tools.
import { useEffect, useState } from 'preact/hooks';
import type { ImportEntry } from '../../api/imports.ts';
import { fetchIntegrations } from '../../api/integrations.ts';
import { fetchTools } from '../../api/tools.ts';
import { hasWay, isKnown, isUsable, withState, type WithState } from '../../connect/state.ts';
import type { Method } from '../../connect/methods.tsx';
import { targetNamed } from '../../connect/target.ts';
import { useConnecting } from '../../connect/use-connecting.tsx';
import { useConnections } from '../../state/use-connections.ts';
import { useImport, useImports, withEntry } from '../../state/use-imports.ts';
import { useResource } from '../../state/use-resource.ts';
import { useIsAdministrator } from '../../state/use-myself.ts';
import { usePoll } from '../../state/use-poll.ts';
import { useSetup } from '../../state/use-setup.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { Logo } from '../../parts/logo.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { Link } from '../../router/link.tsx';
import type { PageProps } from '../../router/match.ts';
import { lazyPart } from '../../shell/lazy.tsx';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts/texts.ts';
import '../../styles/integration.css';
import { wayOf } from '../integrations/way-of.ts';
import { IntegrationRules } from '../rules/integration-rules.tsx';
import { useDecisions } from '../rules/use-decisions.ts';
import { ConnectionPanel } from './connection-panel.tsx';
import { GuidePanel } from './guide-panel.tsx';
import { LatestCalls, useLatestCalls } from './latest-calls.tsx';
import { SessionPanel } from './session-panel.tsx';
import { AccountChips, HeadActions, type Wanted } from './head-actions.tsx';
import { AskAdministrator, SetupPanel } from './setup-panel.tsx';
import { AddToSet } from '../sets/add-to-set.tsx';
import { ToolRows } from './tool-rows.tsx';

const words = texts.integration;
const TOOLS_POLL_MS = 3000;
const TABS = Object.entries(words.tabs).map(([key, label]) => ({ key, label }));

const ImportReview = lazyPart(() => import('../imports/review.tsx').then((module) => module.ImportReview));
const SourcePanel = lazyPart(() =>
  import('../imports/source-panel.tsx').then((module) => module.SourcePanel),
);
const AccountsPanel = lazyPart(() => import('./accounts-panel.tsx').then((module) => module.AccountsPanel));
const TeamPanel = lazyPart(() => import('./team-panel.tsx').then((module) => module.TeamPanel));
const ImportTools = lazyPart(() =>
  import('../imports/import-tools.tsx').then((module) => module.ImportTools),
);

export function IntegrationPage({ params }: PageProps) {
  const integrations = useResource('integrations', fetchIntegrations);
  const connections = useConnections();
  const tools = useResource('tools', fetchTools);
  const imports = useImports();
  const { dialog, connect } = useConnecting(() => {
    connections.reload();
    // The gateway asks some services for their tools only now.
    if (listed?.imported !== undefined) reloadImport();
    setAgent((now) => (now === 'waits' ? 'served' : now));
    setConnections((count) => count + 1);
  });
  const isAdministrator = useIsAdministrator();
  const [connectionsMade, setConnections] = useState(0);
  const name = params['name'] ?? '';
  const all =
    integrations.data &&
    connections.data &&
    withState(integrations.data, connections.data, imports.data?.imports);
  const listed = all?.find((each) => each.name === name);
  // The list of imports leaves out most tools.
  const whole = useImport(listed?.imported === undefined ? '' : name);
  const imported = whole.data ?? undefined;
  const integration = listed && (imported === undefined ? listed : { ...listed, imported });
  const areImportsKnown = imports.data !== undefined || imports.error !== undefined;
  // The client of an import is a part of the import.
  const hasSetup = integration?.authType === 'oauth2' && areImportsKnown && listed?.imported === undefined;
  const setup = useSetup(hasSetup ? name : '');
  const decisions = useDecisions(integration === undefined ? '' : name);
  const calls = useLatestCalls(name);
  const needed = [integrations, connections, tools, imports, whole, setup];
  const failed = needed.find(({ error }) => error !== undefined);

  // An agent's link names the way. The live view links here with ?connect=session when the gateway has no browser.
  const { query } = useLocation();
  const [wanted, setWanted] = useState<Wanted>();
  const shown = TABS.some(({ key }) => key === query.get('show')) ? (query.get('show') ?? '') : '';
  const [asked, label] = [query.get('connect') ?? '', query.get('account') ?? ''];
  const [agent, setAgent] = useState<'none' | 'waits' | 'served'>('none');
  const isListed = integration !== undefined;
  const todo = query.get('do') ?? '';
  useEffect(() => {
    if (todo === '' || !isListed) return;
    setQuery({ do: '' });
    if (todo === 'disconnect') setWanted('disconnect');
  }, [todo, isListed]);
  useEffect(() => {
    if (asked === '' || !isListed) return;
    setQuery({ connect: '', account: '' });
    // The gallery has just added the service, and no agent waits.
    const isAgents = asked !== 'session' && asked !== 'new';
    if (isAgents) setAgent('waits');
    if (asked !== 'session' ? hasWay(integration) : integration.authType === 'cookie')
      connect(integration, readMethod(asked), targetNamed(integration, label), isAgents);
  }, [asked, isListed]);

  function reloadImport(): void {
    whole.reload();
    imports.reload();
    integrations.reload();
    tools.reload();
  }

  function showEntry(entry: ImportEntry): void {
    whole.set(entry);
    imports.change((list) => withEntry(list, entry));
    integrations.reload();
    tools.reload();
  }

  // The gateway asks a service for its tools soon after a person has connected it.
  const awaitsTools = imported?.tools.length === 0 && integration !== undefined && isUsable(integration);
  usePoll(awaitsTools, TOOLS_POLL_MS, whole.look);

  const isSetupLoading = setup.data === undefined && setup.error === undefined;
  // A list that appears later would move everything below.
  const isLoading =
    !areImportsKnown ||
    (whole.data === undefined && whole.error === undefined) ||
    isSetupLoading ||
    (calls.data === undefined && calls.error === undefined);
  if (all === undefined || tools.data === undefined || isLoading) {
    return (
      <Page title={words.title} before={<Back href="/integrations" label={words.back} />}>
        <NotLoaded of={needed} />
        {failed === undefined && <Skeleton rows={4} />}
      </Page>
    );
  }

  if (integration === undefined) {
    return (
      <Page
        title={words.missingTitle}
        lead={words.missingLead}
        before={<Back href="/integrations" label={words.back} />}
      >
        <Link href="/integrations" class="button">
          {words.goBack}
        </Link>
      </Page>
    );
  }
  const { displayName, description, logo, version, authType } = integration;
  const ownTools = tools.data.filter((tool) => tool.integration === name);

  return (
    <Page
      title={displayName}
      lead={
        <>
          {imported === undefined ? description : <LongText as="span" text={description} />}
          <AccountChips
            integration={integration}
            onAdd={() => connect(integration, undefined, { kind: 'add' })}
          />
          <span class="facts">
            {wayOf(integration)} · {imported === undefined ? words.version(version) : markOf(imported)}
          </span>
        </>
      }
      before={
        <>
          <Back href="/integrations" label={words.back} />
          <Logo src={logo} name={displayName} />
        </>
      }
      actions={
        <HeadActions
          integration={integration}
          canSetUp={setup.data?.seen.kind !== 'member' && Boolean(setup.data)}
          onConnect={(target) => connect(integration, undefined, target)}
          onWant={(next) => {
            setWanted(next);
            setQuery({ show: 'settings' });
          }}
        />
      }
    >
      <NotLoaded of={needed} />
      {agent === 'served' && (
        <p class="notice" role="status">
          <Lamp colour="green">{words.backToAgent(displayName)}</Lamp>
        </p>
      )}
      {imported !== undefined && <ImportReview entry={imported} onChange={showEntry} />}
      {setup.data && <AskAdministrator integration={integration} setup={setup.data} />}
      {dialog}
      <Tabs
        label={words.sections}
        tabs={TABS}
        chosen={shown}
        onChoose={(show) => {
          setWanted(undefined);
          setQuery({ show });
        }}
      >
        {shown === '' && (
          <>
            <IntegrationRules name={name} displayName={displayName} tools={ownTools} decisions={decisions} />
            {imported === undefined ? (
              <ToolRows name={name} of={displayName} tools={ownTools} decisions={decisions} />
            ) : (
              <ImportTools
                entry={imported}
                actions={ownTools.length > 0 && <AddToSet integration={displayName} tools={ownTools} />}
                isConnected={isUsable(integration)}
                decisions={decisions}
                onChange={showEntry}
              />
            )}
            {integration.hasGuide === true && <GuidePanel name={name} />}
          </>
        )}
        {shown === 'activity' && <LatestCalls calls={calls} integration={name} of={displayName} />}
        {shown === 'settings' && (
          <>
            <ConnectionPanel
              integration={integration}
              siblings={nameAll(integration.siblings ?? [], all)}
              lastCallAt={calls.data?.entries[0]?.created_at}
              wanted={wanted}
              onConnect={(target) => connect(integration, undefined, target)}
              onTested={(now) =>
                connections.change((rows) => rows.map((row) => (row.name === now.name ? now : row)))
              }
              onChange={connections.reload}
            />
            {integration.accounts !== undefined && (
              <AccountsPanel
                integration={integration}
                accounts={integration.accounts}
                onConnect={(target) => connect(integration, undefined, target)}
                onChange={connections.reload}
              />
            )}
            {setup.data && (
              <SetupPanel
                integration={integration}
                setup={setup.data}
                isAsked={wanted === 'setup'}
                onClosed={() => setWanted(undefined)}
                onChange={() => {
                  setup.reload();
                  integrations.reload();
                }}
              />
            )}
            {isAdministrator && authType !== 'none' && imported?.for !== 'me' && (
              <TeamPanel
                integration={integration}
                version={connectionsMade}
                onConnect={() => connect(integration, undefined, { kind: 'team' })}
                onChange={connections.reload}
              />
            )}
            {/* Without a connection there is no session. The dialog that connects imports one too. */}
            {authType === 'cookie' && isKnown(integration) && (
              <SessionPanel integration={integration} onImport={(each) => connect(each, 'session')} />
            )}
            {imported !== undefined && (
              <SourcePanel entry={imported} onChange={showEntry} onChecked={reloadImport} />
            )}
          </>
        )}
      </Tabs>
    </Page>
  );
}

function markOf({ kind, for: whom }: ImportEntry): string {
  return `${texts.integrations.kinds[kind]} · ${texts.integrations.addedFor[whom]}`;
}

function readMethod(asked: string): Method | undefined {
  return asked === 'session' || asked === 'token' ? asked : undefined;
}

function nameAll(names: readonly string[], all: readonly WithState[]): string[] {
  return names.map((name) => all.find((each) => each.name === name)?.displayName ?? name);
}
