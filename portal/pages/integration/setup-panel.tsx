// Lets an administrator set up the sign-in with a provider, and tells everyone else whom to ask.
import { useState } from 'preact/hooks';
import { deleteProviderClient, type ProviderClient } from '../../api/provider-clients.ts';
import { hasWay, type WithState } from '../../connect/state.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import type { SignInSetup } from '../../state/use-setup.ts';
import { texts } from '../../texts/texts.ts';
import { SetupForm } from './setup-form.tsx';

const words = texts.setup;

interface Props {
  integration: WithState;
  setup: SignInSetup;
  onChange: () => void;
}

export function SetupPanel({ integration, setup, onChange }: Props) {
  const { displayName } = integration;
  const { seen } = setup;
  const [opened, setOpened] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const client = seen.kind === 'set' ? seen.client : undefined;
  const isMissing = seen.kind === 'unreadable' || (seen.kind === 'none' && !hasWay(integration));
  const isOpen = opened || (isMissing && outcome === undefined);

  if (seen.kind === 'member') {
    if (hasWay(integration)) return null;
    return (
      <section class="panel" aria-labelledby="setup">
        <h2 id="setup">{words.askTitle}</h2>
        <p class="muted">{words.ask(displayName)}</p>
      </section>
    );
  }

  function tell(said: string): void {
    setOpened(false);
    setOutcome({ words: said, takesFocus: true });
    onChange();
  }

  return (
    <section class="panel setup" aria-labelledby="setup">
      <div class="panel-line">
        <div>
          <h2 id="setup">{words.title}</h2>
          {client === undefined ? (
            <p class="muted">{leadWithout(seen.kind === 'unreadable', integration)}</p>
          ) : (
            <ClientFacts client={client} name={integration.name} />
          )}
          <OutcomeLine outcome={isOpen ? undefined : outcome} />
        </div>
        {!isOpen && client?.source !== 'environment' && (
          <div class="row">
            <button type="button" class="button" onClick={() => setOpened(true)}>
              {client === undefined ? words.begin : words.change}
            </button>
            {client !== undefined && (
              <ConfirmButton
                label={words.remove}
                title={words.removeTitle(displayName)}
                onConfirm={async () => {
                  await deleteProviderClient(integration.name);
                  tell(words.removed(displayName));
                }}
              >
                <p>{words.removeEffect(displayName)}</p>
              </ConfirmButton>
            )}
          </div>
        )}
      </div>
      {isOpen && (
        <SetupForm
          integration={integration}
          way={setup.way}
          client={client}
          onSaved={() => tell(words.saved(displayName))}
          {...(isMissing ? {} : { onCancel: () => setOpened(false) })}
        />
      )}
    </section>
  );
}

function ClientFacts({ client, name }: { client: ProviderClient; name: string }) {
  const { source, clientId, instances = [] } = client;
  return (
    <>
      <p class="setup-source">
        <Lamp colour="green">{words[source]}</Lamp>
      </p>
      {source === 'environment' && (
        <p class="muted">{words.environmentLead(`${name.toUpperCase()}_CLIENT_ID`)}</p>
      )}
      <dl class="setup-facts">
        <div>
          <dt>{words.clientId}</dt>
          <dd>
            <code>{clientId}</code>
          </dd>
        </div>
        {instances.map((instance) => (
          <div key={instance.origin}>
            <dt>{instance.origin}</dt>
            <dd>
              <code>{instance.clientId}</code>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function leadWithout(isUnreadable: boolean, integration: WithState): string {
  if (isUnreadable) return words.unreadable;
  return (hasWay(integration) ? words.optional : words.needed)(integration.displayName);
}
