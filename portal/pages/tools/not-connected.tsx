// Says that the integration of a tool is not connected yet, and links to the dialog that connects it.
import { fetchIntegrations } from '../../api/integrations.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { Link } from '../../router/link.tsx';
import { connectedNames, useConnections } from '../../state/use-connections.ts';
import { useResource } from '../../state/use-resource.ts';
import { texts } from '../../texts/texts.ts';

export function NotConnected({ integration }: { integration: string }) {
  const integrations = useResource('integrations', fetchIntegrations);
  const connections = useConnections();
  const known = integrations.data?.find(({ name }) => name === integration);
  if (known === undefined || known.authType === 'none' || connections.data === undefined) return null;
  if (connectedNames(connections.data).has(integration)) return null;
  return (
    <p class="argument-hint not-connected">
      <Lamp colour="amber">{texts.tools.notConnectedYet(known.displayName)}</Lamp>
      <Link href={`/integrations/${encodeURIComponent(integration)}?connect=new`}>
        {texts.connect.connect}
      </Link>
    </p>
  );
}
