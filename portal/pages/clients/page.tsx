// Shows how agents and scripts reach the gateway: a client, what it may do, and the line to paste with its own key inside.
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts/texts.ts';
import { ClientPanel } from './client-panel.tsx';
import { FirstCall } from './first-call.tsx';

export function ClientsPage() {
  return (
    <Page title={texts.clients.title} lead={texts.clients.lead}>
      <ClientPanel />
      <FirstCall />
    </Page>
  );
}
