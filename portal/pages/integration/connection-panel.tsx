// Explains the state of the connection, and lets the person connect or disconnect.
import { useState } from 'preact/hooks';
import { disconnect } from '../../api/integrations.ts';
import { ConnectButton } from '../../connect/connect-button.tsx';
import { isKnown, type WithState } from '../../connect/state.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.integration;

interface Props {
  integration: WithState;
  onConnect: (integration: WithState) => void;
  onChange: () => void;
}

export function ConnectionPanel({ integration, onConnect, onChange }: Props) {
  const { name, displayName, authType } = integration;
  const [outcome, setOutcome] = useState<Outcome>();

  async function endConnection(): Promise<void> {
    await disconnect(name);
    onChange();
    setOutcome({ words: words.disconnected(displayName), takesFocus: true });
  }

  return (
    <section class="panel panel-line" aria-labelledby="connection">
      <div>
        <h2 id="connection">{words.connection}</h2>
        <p class="muted">{explainState(integration)}</p>
        <OutcomeLine outcome={isKnown(integration) ? undefined : outcome} />
      </div>
      <ConnectButton primary integration={integration} onConnect={onConnect} />
      {isKnown(integration) && (
        <ConfirmButton
          label={words.disconnect}
          title={words.disconnectTitle(displayName)}
          confirmLabel={words.disconnect}
          onConfirm={endConnection}
        >
          <p>{words.disconnectEffect(displayName)}</p>
          <p>{words.disconnectLeft[authType](displayName)}</p>
        </ConfirmButton>
      )}
    </section>
  );
}

function explainState(integration: WithState): string {
  const { name, displayName, authType, configured, health } = integration;
  if (authType === 'none') return words.builtIn;
  if (isKnown(integration)) return words.meanings[health](displayName);
  return configured ? words.notConnected(displayName) : words.waiting(displayName, name.toUpperCase());
}
