// Shows administrators which machines call this gateway: by the token of a trusted issuer, or as a client.
import { fetchNamedKeys } from '../../api/agent-keys.ts';
import { fetchMachineClients, fetchTrustedIssuers } from '../../api/machines.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { Page } from '../../shell/page.tsx';
import { useResource } from '../../state/use-resource.ts';
import { machinesTexts } from '../../texts/machines.ts';
import { texts } from '../../texts/texts.ts';
import { AdministratorsOnly, isForbidden } from '../people/administrators-only.tsx';
import { MachineClients } from './clients.tsx';
import { Issuers } from './issuers.tsx';
import '../../styles/keys.css';
import '../../styles/machines.css';

const words = machinesTexts.parts;
const PARTS = ['issuers', 'clients'] as const;

export function MachinesPage() {
  const issuers = useResource('trusted issuers', fetchTrustedIssuers);
  const clients = useResource('machine clients', fetchMachineClients);
  const keys = useResource('named keys', fetchNamedKeys);
  const asked = useLocation().query.get('show');
  const shown = PARTS.find((part) => part === asked) ?? 'issuers';
  const counts = { issuers: issuers.data?.length, clients: clients.data?.length };
  const needed = [issuers, clients, keys];

  if (isForbidden(issuers.error)) return <AdministratorsOnly title={texts.nav.machines} />;
  const isLoading = needed.some(({ data, error }) => data === undefined && error === undefined);
  return (
    <Page title={texts.nav.machines} lead={machinesTexts.lead}>
      <Tabs
        label={words.label}
        tabs={PARTS.map((key) => ({ key, label: words.counted(words[key], counts[key]) }))}
        chosen={shown}
        onChoose={(key) => setQuery({ show: key, new: '' })}
      >
        <NotLoaded of={needed} />
        {isLoading ? (
          <Skeleton rows={3} />
        ) : shown === 'clients' ? (
          <MachineClients clients={clients} keys={keys.data} />
        ) : (
          <Issuers issuers={issuers} keys={keys.data} />
        )}
      </Tabs>
    </Page>
  );
}
