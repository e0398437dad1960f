// Shows administrators what the whole gateway shares: links, services, sign-ins and agents.
import { fetchIntegrations } from '../../api/integrations.ts';
import { fetchProviderClients } from '../../api/gateway.ts';
import { displayNameOf } from '../../parts/display-name.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Notices } from '../../parts/notices.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { Page } from '../../shell/page.tsx';
import { useImports } from '../../state/use-imports.ts';
import { useMyself } from '../../state/use-myself.ts';
import { useResource } from '../../state/use-resource.ts';
import { gatewayTexts as words } from '../../texts/gateway.ts';
import { texts } from '../../texts/texts.ts';
import { AdministratorsOnly, isForbidden } from '../people/administrators-only.tsx';
import { fetchTeamConnections } from '../../api/team.ts';
import { TeamRows } from './team-rows.tsx';
import { ClientRows } from './client-rows.tsx';
import { AgentRows } from './agent-rows.tsx';
import { Instruments } from './instruments.tsx';
import { ImportRows } from './shared-rows.tsx';
import '../../styles/people.css';

const LINKS = [
  { href: '/people', ...words.links.people },
  { href: '/rules?for=everyone', ...words.links.rules },
  { href: '/activity?of=everybody', ...words.links.activity },
  { href: '/integrations/add', ...words.links.add },
];

export function GatewayPage() {
  const integrations = useResource('integrations', fetchIntegrations);
  const clients = useResource('provider clients', fetchProviderClients);
  const imports = useImports();
  const team = useResource('team connections', fetchTeamConnections);
  const notices = useMyself().data?.notices ?? [];
  const needed = [clients, imports, team];
  const nameOf = (name: string) => displayNameOf(name, integrations.data);

  if (isForbidden(clients.error)) return <AdministratorsOnly title={texts.nav.gateway} />;
  const isLoading = needed.some(({ data, error }) => data === undefined && error === undefined);
  return (
    <Page title={texts.nav.gateway} lead={words.lead}>
      <Notices notices={notices} />
      <Instruments />
      <ul class="gateway-links" aria-label={words.everyone}>
        {LINKS.map(({ href, name, about }) => (
          <li key={href}>
            <Link href={href} class="gateway-link">
              <span class="gateway-link-name">{name}</span>
              <span class="gateway-link-about">{about}</span>
            </Link>
          </li>
        ))}
      </ul>
      <NotLoaded of={needed} />
      {isLoading && <Skeleton rows={6} />}
      {imports.data && (
        <ImportRows imports={imports.data.imports.filter(({ for: whom }) => whom === 'everyone')} />
      )}
      {team.data && <TeamRows connections={team.data} nameOf={nameOf} />}
      {clients.data && <ClientRows clients={clients} nameOf={nameOf} />}
      <AgentRows />
    </Page>
  );
}
