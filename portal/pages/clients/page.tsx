// Shows how agents and scripts reach the gateway: the key, the address, and the lines to paste for each client.
import { useHasKey } from '../../state/use-has-key.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts/texts.ts';
import { ApiKeyPanel } from './api-key-panel.tsx';
import { ClientPanel } from './client-panel.tsx';
import { FirstCall } from './first-call.tsx';

export function ClientsPage() {
  const hasKey = useHasKey();
  return (
    <Page title={texts.clients.title} lead={texts.clients.lead}>
      <NotLoaded of={[hasKey]} />
      <div class="clients">
        <ClientPanel hasKey={hasKey.data !== false} />
        <div class="clients-side">
          <ApiKeyPanel hasKey={hasKey.data} isLoading={hasKey.error === undefined} onChange={hasKey.set} />
          <FirstCall />
        </div>
      </div>
    </Page>
  );
}
