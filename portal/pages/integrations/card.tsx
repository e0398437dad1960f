// Renders an integration in the gallery: a card, or a row on phones. Everything except its button is a link.
import { ConnectButton } from '../../connect/connect-button.tsx';
import { hasReview, type WithState } from '../../connect/state.ts';
import { Logo } from '../../parts/logo.tsx';
import { Link } from '../../router/link.tsx';
import { texts } from '../../texts/texts.ts';
import { StateLamp } from './state-lamp.tsx';
import { wayOf } from './way-of.ts';

const words = texts.integrations;

export function Card({
  integration,
  onConnect,
}: {
  integration: WithState;
  onConnect: (integration: WithState) => void;
}) {
  const { name, displayName, description, logo, toolCount, account, accounts, imported } = integration;
  return (
    <li class="card">
      <Logo src={logo} name={displayName} />
      <div class="card-words">
        <h3>
          <Link href={`/integrations/${encodeURIComponent(name)}`} title={displayName}>
            {displayName}
          </Link>
          {hasReview(integration) && <span class="card-review">{words.review}</span>}
        </h3>
        <p class="card-description">{description}</p>
        <p class={account === undefined ? 'card-facts' : 'card-facts card-account'}>
          {account === undefined
            ? `${texts.integration.toolCount(toolCount)} · ${wayOf(integration)}`
            : texts.connect.signedInAs(account.label, (accounts?.length ?? 1) - 1)}
        </p>
        {imported !== undefined && (
          <p class="card-mark">
            {words.kinds[imported.kind]} · {words.addedFor[imported.for]}
          </p>
        )}
      </div>
      <StateLamp integration={integration} />
      <ConnectButton named integration={integration} onConnect={onConnect} />
    </li>
  );
}
