// Shows who called what, how it ended, and the arguments and result of the call while they are kept.
import type { Call } from '../../api/calls.ts';
import { fetchConnections, fetchIntegrations } from '../../api/integrations.ts';
import { colourOf, outcomeOf } from '../../parts/call-outcome.ts';
import { displayNameOf } from '../../parts/display-name.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { Logo } from '../../parts/logo.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Link } from '../../router/link.tsx';
import { useResource } from '../../state/use-resource.ts';
import { callTexts as words } from '../../texts/call.ts';
import { texts } from '../../texts/texts.ts';
import { CallActions } from './call-actions.tsx';
import { CallFacts } from './call-facts.tsx';
import { KeptDetails } from './kept-details.tsx';

export function OneCall({ call }: { call: Call }) {
  const integrations = useResource('integrations', fetchIntegrations);
  const of = displayNameOf(call.integration, integrations.data);
  const logo = integrations.data?.find(({ name }) => name === call.integration)?.logo ?? null;
  const outcome = outcomeOf(call);
  return (
    <div class="one-call">
      <section class="panel" aria-label={words.facts}>
        <div class="one-call-head">
          <Logo src={logo} name={of} />
          <div>
            <p class="one-call-outcome">
              <Lamp colour={colourOf(outcome)}>{texts.activity[outcome]}</Lamp>
            </p>
            <p class="muted">
              {of} · <RelativeTime at={call.created_at} />
            </p>
          </div>
        </div>
        {call.error !== null && (
          <FailureLine
            error={call.error === 'NOT_CONNECTED' ? texts.activity.notConnected(of) : call.error}
            of={of}
          />
        )}
        <Reconnect call={call} />
        {call.action === 'REPLAY' && <p class="muted one-call-note">{words.replayed}</p>}
        <CallFacts call={call} of={of} />
        <CallActions call={call} />
      </section>
      <KeptDetails call={call} />
    </div>
  );
}

/** Offers to mend the account that the service has refused, unless it was mended since. */
function Reconnect({ call: { account, error, integration, owner, user } }: { call: Call }) {
  const connections = useResource('connections', fetchConnections);
  const connection = connections.data?.find(({ name }) => name === integration);
  const accounts = connection?.accounts ?? (connection === undefined ? [] : [connection]);
  const isOwn = user === undefined && owner !== 'team';
  if (!isOwn || error?.startsWith('401') !== true || accounts.every(({ status }) => status !== 'reconnect'))
    return null;
  const named = connection?.accounts === undefined || account === undefined ? {} : { account };
  return (
    <Link
      href={`/integrations/${encodeURIComponent(integration)}?${new URLSearchParams({ connect: 'new', ...named })}`}
      class="button button-primary one-call-reconnect"
    >
      {words.reconnect}
    </Link>
  );
}
