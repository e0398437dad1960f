// Lists the clients of machines, makes another one, and ends them.
import { useState } from 'preact/hooks';
import type { NamedKey } from '../../api/agent-keys.ts';
import { endMachineClient, type MachineClient, type MadeMachineClient } from '../../api/machines.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LastUse } from '../../parts/last-use.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Row } from '../../parts/row.tsx';
import { type RemovedRow, Rows } from '../../parts/rows.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import type { Resource } from '../../state/use-resource.ts';
import { machinesTexts } from '../../texts/machines.ts';
import { BoundKeyLine } from './bound-key.tsx';
import { MadeClientPanel } from './made-client.tsx';
import { NeedsKey } from './needs-key.tsx';
import { NewClient } from './new-client.tsx';

const words = machinesTexts.clients;
const NEW = 'new';

interface Props {
  clients: Resource<MachineClient[]>;
  keys: readonly NamedKey[] | undefined;
}

export function MachineClients({ clients, keys }: Props) {
  const isMaking = useLocation().query.get(NEW) === 'client';
  // The secret is in no cache: when the person leaves the page, it is gone.
  const [made, setMade] = useState<MadeMachineClient>();
  const [removed, setRemoved] = useState<RemovedRow>();
  const all = clients.data ?? [];

  function show(client: MadeMachineClient): void {
    const { clientSecret: _, ...row } = client;
    setQuery({ [NEW]: '' });
    setMade(client);
    setRemoved(undefined);
    clients.change((now) => [row, ...now]);
  }

  async function end({ clientId, name }: MachineClient, at: number): Promise<void> {
    await endMachineClient(clientId);
    clients.change((now) => now.filter((each) => each.clientId !== clientId));
    if (made?.clientId === clientId) setMade(undefined);
    setRemoved({ words: machinesTexts.ended(name), takesFocus: true, at });
  }

  const makeButton = (
    <button type="button" class="button button-primary" onClick={() => setQuery({ [NEW]: 'client' })}>
      <Icon name="add" />
      {words.make}
    </button>
  );
  return (
    <div class="keys">
      <div class="keys-head">
        <p class="muted">{words.lead}</p>
        {!isMaking && all.length > 0 && makeButton}
      </div>
      {isMaking &&
        (keys?.length === 0 ? (
          <NeedsKey />
        ) : (
          <NewClient keys={keys ?? []} onMade={show} onCancel={() => setQuery({ [NEW]: '' })} />
        ))}
      {made !== undefined && <MadeClientPanel made={made} onDone={() => setMade(undefined)} />}
      {clients.data?.length === 0 && !isMaking && removed === undefined && (
        <Empty icon="run" title={words.noneTitle} lead={words.noneLead}>
          {makeButton}
        </Empty>
      )}
      <Rows label={words.list} removed={removed}>
        {all.map((each, at) => (
          <ClientRow key={each.clientId} of={each} onEnd={() => end(each, at)} />
        ))}
      </Rows>
    </div>
  );
}

function ClientRow({
  of: { clientId, name, method, key, createdAt, lastUsedAt },
  onEnd,
}: {
  of: MachineClient;
  onEnd: () => Promise<void>;
}) {
  return (
    <Row
      name={name}
      heading="h2"
      id={clientId}
      facts={
        <>
          <span>{words.methods[method].name}</span>
          <span>
            {machinesTexts.created} <RelativeTime at={createdAt} />
          </span>
          <LastUse words={machinesTexts} at={lastUsedAt} />
        </>
      }
      actions={
        <ConfirmButton
          label={machinesTexts.end}
          named={machinesTexts.endOf(name)}
          title={machinesTexts.endTitle(name)}
          onConfirm={onEnd}
        >
          <p>{words.endEffect}</p>
          <p>{words.endLeft}</p>
        </ConfirmButton>
      }
    >
      <BoundKeyLine of={key} />
    </Row>
  );
}
