// What being connected, or not, means here, and the way out of it.
import { disconnect } from '../../api/integrations.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { texts } from '../../texts.ts';
import type { WithState } from '../integrations/sections.ts';

const words = texts.integration;

export function ConnectionPanel({ integration, onChange }: { integration: WithState; onChange: () => void }) {
  const { name, displayName, authType, connected } = integration;

  async function leave(): Promise<void> {
    await disconnect(name);
    onChange();
  }

  return (
    <section class="panel panel-line" aria-labelledby="connection">
      <div>
        <h2 id="connection">{words.connection}</h2>
        <p class="muted">{meaning(integration)}</p>
      </div>
      {connected && authType !== 'none' && (
        <ConfirmButton
          label={words.disconnect}
          title={words.disconnectTitle(displayName)}
          confirmLabel={words.disconnect}
          onConfirm={leave}
        >
          <p>{words.disconnectEffect(displayName)}</p>
          <p>{words.disconnectLeft(displayName)}</p>
        </ConfirmButton>
      )}
    </section>
  );
}

function meaning({ displayName, authType, connected, configured, health }: WithState): string {
  if (authType === 'none') return words.builtIn;
  if (connected) return words.meanings[health](displayName);
  return configured ? words.notConnected(displayName) : words.waiting(displayName);
}
