// Shows the latest calls to the tools of one integration.
import { type AuditEntry, type AuditPage, fetchAudit } from '../../api/audit.ts';
import { duration } from '../../parts/amounts.ts';
import { colourOf, outcomeOf } from '../../parts/call-outcome.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { toolWords } from '../../parts/tool-words.ts';
import { Link } from '../../router/link.tsx';
import { usePollOf } from '../../state/use-poll.ts';
import { type Resource, useResource } from '../../state/use-resource.ts';
import { integrationsTexts } from '../../texts/integrations.ts';
import { texts } from '../../texts/texts.ts';
import { errorOf } from '../activity/error-of.ts';

const words = integrationsTexts.integration.latest;
const POLL_MS = 10_000;
const ROWS = 5;

export function useLatestCalls(integration: string): Resource<AuditPage> {
  const calls = useResource(`latest calls ${integration}`, () =>
    fetchAudit({ integration, success: '' }, { subject: true }),
  );
  usePollOf(calls, POLL_MS);
  return calls;
}

interface Props {
  calls: Resource<AuditPage>;
  integration: string;
  /** The name of the integration as people know it. */
  of: string;
}

export function LatestCalls({ calls, integration, of }: Props) {
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
            <LatestCall key={entry.id} entry={entry} of={of} />
          ))}
        </ol>
      )}
    </section>
  );
}

function LatestCall({ entry, of }: { entry: AuditEntry; of: string }) {
  const { id, created_at, duration_ms, tool, integration, subject } = entry;
  const outcome = outcomeOf(entry);
  const error = errorOf(entry, of);
  return (
    <li class="latest-call">
      <p class="latest-tool">
        <Link href={`/activity/${id}`} title={tool}>
          {toolWords(tool, integration)}
        </Link>
        {subject !== undefined && <bdi>{subject}</bdi>}
      </p>
      <Lamp colour={colourOf(outcome)}>{texts.activity[outcome]}</Lamp>
      <span class="latest-time">{duration(duration_ms)}</span>
      <span class="latest-when">
        <RelativeTime at={created_at} />
      </span>
      {error !== undefined && (
        <p class="outside-text latest-error" title={error.raw}>
          {error.short}
        </p>
      )}
    </li>
  );
}
