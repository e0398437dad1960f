// Lets an administrator set up the sign-in with a provider, and tells everyone else whom to ask.
import { useState } from 'preact/hooks';
import { deleteProviderClient, type ProviderClient } from '../../api/provider-clients.ts';
import { hasWay, type WithState } from '../../connect/state.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import type { SignInSetup } from '../../state/use-setup.ts';
import { texts } from '../../texts/texts.ts';
import { SetupForm } from './setup-form.tsx';

const words = texts.setup;

interface Props {
  integration: WithState;
  setup: SignInSetup;
  /** Opens the sheet at once. */
  isAsked: boolean;
  /** Told when the sheet that was asked for has closed. */
  onClosed: () => void;
  onChange: () => void;
}

export function SetupPanel({ integration, setup, isAsked, onClosed, onChange }: Props) {
  const { displayName } = integration;
  const { seen, way } = setup;
  const [opened, setOpened] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const client = seen.kind === 'set' ? seen.client : undefined;
  const isFamily = client?.family !== undefined;

  if (seen.kind === 'member') return null;

  function tell(said: string): void {
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
            <ClientFacts client={client} name={integration.name} family={way.family?.displayName} />
          )}
          <OutcomeLine outcome={outcome} />
        </div>
        {client?.source !== 'environment' && (
          <div class="row">
            <button type="button" class="button" onClick={() => setOpened(true)}>
              {client === undefined ? words.begin : words.change}
            </button>
            {client !== undefined && (
              <ConfirmButton
                label={words.remove}
                title={words.removeTitle(isFamily ? (way.family?.displayName ?? displayName) : displayName)}
                onConfirm={async () => {
                  await deleteProviderClient(integration.name, isFamily);
                  tell(words.removed(displayName));
                }}
              >
                <p>{words.removeEffect(displayName)}</p>
              </ConfirmButton>
            )}
          </div>
        )}
      </div>
      {(opened || isAsked) && (
        <Dialog
          title={words.sheet(displayName)}
          onClose={() => {
            setOpened(false);
            onClosed();
          }}
        >
          {(close) => (
            <SetupForm
              integration={integration}
              way={way}
              client={client}
              onSaved={(family) => {
                close();
                tell(
                  family === undefined
                    ? words.saved(displayName)
                    : words.familySaved(family.displayName, namesOf(family.integrations)),
                );
              }}
              onCancel={close}
            />
          )}
        </Dialog>
      )}
    </section>
  );
}

const list = new Intl.ListFormat('en');
const namesOf = (integrations: readonly { displayName: string }[]) =>
  list.format(integrations.map(({ displayName }) => displayName));

/** Tells a person who cannot set it up whom to ask. */
export function AskAdministrator({ integration, setup }: Pick<Props, 'integration' | 'setup'>) {
  if (setup.seen.kind !== 'member' || hasWay(integration)) return null;
  return (
    <section class="panel" aria-labelledby="ask">
      <h2 id="ask">{words.askTitle}</h2>
      <p class="muted">{words.ask(integration.displayName)}</p>
    </section>
  );
}

function ClientFacts({
  client,
  name,
  family,
}: {
  client: ProviderClient;
  name: string;
  family: string | undefined;
}) {
  const { source, clientId, instances = [] } = client;
  return (
    <>
      <p class="setup-source">
        <Lamp colour="green">
          {client.family === undefined || family === undefined ? words[source] : words.ofFamily(family)}
        </Lamp>
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
