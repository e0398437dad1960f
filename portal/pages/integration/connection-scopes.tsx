// Lists what the person has granted at the provider, and says what is missing.
import type { WithState } from '../../connect/state.ts';
import { connectionTexts } from '../../texts/connection.ts';

const words = connectionTexts.connection.scopes;

export function ConnectionScopes({ integration }: { integration: WithState }) {
  const { displayName, missingScopes = [], scopes = [] } = integration;
  return (
    <>
      {missingScopes.length > 0 && (
        <div class="connection-missing">
          <p>{words.missing(displayName, missingScopes.length)}</p>
          <ScopeList scopes={missingScopes} />
        </div>
      )}
      {scopes.length > 0 && (
        <details class="connection-scopes">
          <summary>{words.granted(scopes.length)}</summary>
          <ScopeList scopes={scopes} />
        </details>
      )}
    </>
  );
}

function ScopeList({ scopes }: { scopes: readonly string[] }) {
  return (
    <ul class="scopes">
      {scopes.map((scope) => (
        <li key={scope}>
          <code>{scope}</code>
        </li>
      ))}
    </ul>
  );
}
