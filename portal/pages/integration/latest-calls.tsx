// Shows the latest calls to the tools of one integration.
import { type AuditEntry, type AuditPage, fetchAudit } from '../../api/audit.ts';
import { duration } from '../../parts/amounts.ts';
import { colourOf, outcomeOf } from '../../parts/call-outcome.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Link } from '../../router/link.tsx';
import { usePollOf } from '../../state/use-poll.ts';
import { type Resource, useResource } from '../../state/use-resource.ts';
import { integrationsTexts } from '../../texts/integrations.ts';
import { texts } from '../../texts/texts.ts';

const words = integrationsTexts.integration.latest;
const POLL_MS = 10_000;
const ROWS = 5;

export function useLatestCalls(integration: string): Resource<AuditPage> {
  const calls = useResource(`latest calls ${integration}`, () => fetchAudit({ integration, success: '' }));
  usePollOf(calls, POLL_MS);
  return calls;
}

interface Props {
  calls: Resource<AuditPage>;
  integration: string;
}

export function LatestCalls({ calls, integration }: Props) {
  const all = calls.data?.entries ?? [];
  const address = `/activity?integration=${encodeURIComponent(integration)}`;
  return (
    <section class="panel latest-calls" aria-labelledby="latest-calls">
      <div class="latest-head">
        <h2 id="latest-calls">{words.title}</h2>
        {all.length > 0 && <Link href={address}>{words.all}</Link>}
      </div>
      <NotLoaded of={[calls]} />
      {calls.data !== undefined && all.length === 0 && <p class="muted">{words.none}</p>}
      {all.length > 0 && (
        <ol aria-label={words.title}>
          {all.slice(0, ROWS).map((entry) => (
            <LatestCall key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
    </section>
  );
}

function LatestCall({ entry }: { entry: AuditEntry }) {
  const { id, created_at, duration_ms, error, tool } = entry;
  const outcome = outcomeOf(entry);
  const isExplained = error !== null && (outcome === 'failed' || outcome === 'unknown');
  return (
    <li class="latest-call">
      <Link href={`/activity/${id}`}>{tool}</Link>
      <Lamp colour={colourOf(outcome)}>{texts.activity[outcome]}</Lamp>
      <span class="latest-time">{duration(duration_ms)}</span>
      <span class="latest-when">
        <RelativeTime at={created_at} />
      </span>
      {isExplained && <p class="outside-text latest-error">{error}</p>}
    </li>
  );
}
