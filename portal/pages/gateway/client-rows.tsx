// Lists the OAuth clients with which the gateway is registered at providers, and removes those of the portal.
import { useState } from 'preact/hooks';
import type { ListedClient } from '../../api/gateway.ts';
import { deleteProviderClient } from '../../api/provider-clients.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Row } from '../../parts/row.tsx';
import { type RemovedRow, Rows } from '../../parts/rows.tsx';
import { Link } from '../../router/link.tsx';
import type { Resource } from '../../state/use-resource.ts';
import { gatewayTexts as words } from '../../texts/gateway.ts';
import { texts } from '../../texts/texts.ts';

interface Props {
  clients: Resource<ListedClient[]>;
  nameOf: (integration: string) => string;
}

export function ClientRows({ clients, nameOf }: Props) {
  const [removed, setRemoved] = useState<RemovedRow>();
  const all = clients.data ?? [];

  async function remove({ integration: name, family }: ListedClient, at: number): Promise<void> {
    await deleteProviderClient(name, family !== undefined);
    // A client of a family is listed under each of its integrations.
    clients.change((now) =>
      now.filter((each) => (family === undefined ? each.integration !== name : each.family !== family)),
    );
    setRemoved({ words: words.clientRemoved(nameOf(name)), takesFocus: true, at });
  }

  return (
    <section class="section" aria-labelledby="clients">
      <h2 id="clients" class="section-title">
        {words.clients}
      </h2>
      <p class="section-note">{words.clientsLead}</p>
      {all.length === 0 && removed === undefined && <p class="muted">{words.noClients}</p>}
      <Rows label={words.clients} removed={removed}>
        {all.map((client, at) => (
          <ClientRow
            key={client.integration}
            client={client}
            name={nameOf(client.integration)}
            onRemove={() => remove(client, at)}
          />
        ))}
      </Rows>
    </section>
  );
}

interface RowProps {
  client: ListedClient;
  name: string;
  onRemove: () => Promise<void>;
}

function ClientRow({ client: { integration, clientId, source }, name, onRemove }: RowProps) {
  return (
    <Row
      name={<Link href={`/integrations/${encodeURIComponent(integration)}`}>{name}</Link>}
      heading="h3"
      id={clientId ?? undefined}
      facts={words.source[source]}
      actions={
        source === 'portal' && (
          <ConfirmButton
            label={words.removeClient}
            named={words.removeClientOf(name)}
            title={texts.setup.removeTitle(name)}
            onConfirm={onRemove}
          >
            <p>{texts.setup.removeEffect(name)}</p>
          </ConfirmButton>
        )
      }
    >
      {clientId === null && <p class="muted">{words.unreadable}</p>}
    </Row>
  );
}
