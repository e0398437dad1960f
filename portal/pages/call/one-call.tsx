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
import { failureWords } from '../../texts/failure-words.ts';
import { texts } from '../../texts/texts.ts';
import { CallActions } from './call-actions.tsx';
import { CallFacts } from './call-facts.tsx';
import { KeptDetails } from './kept-details.tsx';

export function OneCall({ call }: { call: Call }) {
  const integrations = useResource('integrations', fetchIntegrations);
  const of = displayNameOf(call.integration, integrations.data);
  const logo = integrations.data?.find(({ name }) => name === call.integration)?.logo ?? null;
  const outcome = outcomeOf(call);
  const next = useNextStep(call, of);
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
        <Reason call={call} of={of} />
        {next !== null && (
          <Link href={next.href} class="button button-primary one-call-next">
            {next.label}
          </Link>
        )}
        {call.action === 'REPLAY' && <p class="muted one-call-note">{words.replayed}</p>}
        <CallFacts call={call} of={of} />
        <CallActions call={call} isFirst={next === null} />
      </section>
      <KeptDetails call={call} />
    </div>
  );
}

function Reason({ call, of }: { call: Call; of: string }) {
  const { error } = call;
  if (error === null) return null;
  if (outcomeOf(call) === 'unknown') {
    const { what, next } = failureWords.unknown(of);
    return (
      <p class="failure-line">
        {what} {next}
      </p>
    );
  }
  return <FailureLine error={error} of={of} />;
}

/** What the person can do about a call that did not run, unless it was done since. */
function useNextStep(call: Call, of: string): { href: string; label: string } | null {
  const { account, approval, error, integration, owner, user } = call;
  const connections = useResource('connections', fetchConnections);
  const connection = connections.data?.find(({ name }) => name === integration);
  const accounts = connection?.accounts ?? (connection === undefined ? [] : [connection]);
  if (user !== undefined || owner === 'team') return null;
  if (outcomeOf(call) === 'asked' && approval !== null)
    return { href: `/approvals/${encodeURIComponent(approval)}`, label: words.openApproval };
  const connectAt = (named: Record<string, string>) =>
    `/integrations/${encodeURIComponent(integration)}?${new URLSearchParams({ connect: 'new', ...named })}`;
  if (error === 'NOT_CONNECTED' && connection?.connected === false)
    return { href: connectAt({}), label: words.connect(of) };
  if (error?.startsWith('401') !== true || accounts.every(({ status }) => status !== 'reconnect'))
    return null;
  const named = connection?.accounts === undefined || account === undefined ? {} : { account };
  return { href: connectAt(named), label: words.reconnect };
}
