// Lists what a person has here: connections, agents and keys. It shows no secret and nothing that was called.
import type { ComponentChildren } from 'preact';
import { fetchIntegrations } from '../../api/integrations.ts';
import type { PersonInFull } from '../../api/people.ts';
import { displayNameOf } from '../../parts/display-name.ts';
import { plainName } from '../../parts/plain-name.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { AccountLamp } from '../../parts/account-lamp.tsx';
import { useResource } from '../../state/use-resource.ts';
import { peopleTexts } from '../../texts/people.ts';

const words = peopleTexts.person;

export function Holdings({ person: { accounts, clients, namedKeys } }: { person: PersonInFull }) {
  const integrations = useResource('integrations', fetchIntegrations);
  return (
    <div class="holdings">
      <Held id="connections" title={words.connectionsTitle} none={words.noConnections}>
        {accounts.map(({ integration, label, status }) => (
          <li key={`${integration} ${label}`}>
            <span class="held-name">
              {displayNameOf(integration, integrations.data)}
              {label !== undefined && <span class="muted"> · {label}</span>}
            </span>
            <AccountLamp status={status} />
          </li>
        ))}
      </Held>
      <Held id="clients" title={words.clientsTitle} none={words.noClients}>
        {clients.map(({ id, name }) => (
          <li key={id}>
            <span class="held-name">{plainName(name ?? '') || words.unnamedClient}</span>
            <span class="agent-id">{id}</span>
          </li>
        ))}
      </Held>
      <Held id="keys" title={words.keysTitle} none={words.noKeys}>
        {namedKeys.map(({ name, lastUsedAt }) => (
          <li key={name}>
            <span class="held-name">{name}</span>
            <span class="muted">
              {lastUsedAt === undefined ? (
                words.neverUsed
              ) : (
                <>
                  {words.lastUsed} <RelativeTime at={lastUsedAt} />
                </>
              )}
            </span>
          </li>
        ))}
      </Held>
    </div>
  );
}

interface HeldProps {
  id: string;
  title: string;
  none: string;
  children: ComponentChildren[];
}

function Held({ id, title, none, children }: HeldProps) {
  return (
    <section class="panel held" aria-labelledby={id}>
      <h2 id={id}>
        {title} {children.length > 0 && <span class="section-count">{children.length}</span>}
      </h2>
      {children.length === 0 ? <p class="muted">{none}</p> : <ul class="held-rows">{children}</ul>}
    </section>
  );
}
