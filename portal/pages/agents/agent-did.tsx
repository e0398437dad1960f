// Shows what one agent did: its calls over time, and a line for each burst of calls, by day.
import { type AuditEntry, fetchAudit } from '../../api/audit.ts';
import { fetchUsage } from '../../api/usage.ts';
import { outcomeOf } from '../../parts/call-outcome.ts';
import { displayNameOf } from '../../parts/display-name.ts';
import { fetchIntegrations } from '../../api/integrations.ts';
import { Logo } from '../../parts/logo.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { usePollOf, usePollOfCounts } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { agentPagesTexts as words } from '../../texts/agent-pages.ts';
import { CallsChart } from '../overview/call-charts.tsx';
import type { Caller } from './callers.ts';
import '../../styles/overview.css';

/** A burst ends where the agent rested so long, or went on to another integration. */
const REST_SECONDS = 10 * 60;
const MOST_TOOLS = 3;

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const date = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });

interface Burst {
  integration: string;
  /** The newest first. */
  calls: AuditEntry[];
}

export function AgentDid({ caller: { actor } }: { caller: Caller }) {
  const usage = useResource(`usage of ${actor}`, () => fetchUsage('7d', undefined, { actor }));
  const calls = useResource(`calls of ${actor}`, () =>
    fetchAudit({ integration: '', success: '', client: actor }),
  );
  const { data: integrations } = useResource('integrations', fetchIntegrations);
  usePollOfCounts(usage);
  usePollOf(calls);
  const entries = calls.data?.entries;
  return (
    <div class="agent-did">
      <NotLoaded of={[usage, calls]} />
      {usage.data && <CallsChart usage={usage.data} />}
      <section class="panel" aria-labelledby="did">
        <div class="panel-head">
          <h2 id="did">{words.did}</h2>
          <Link href={`/activity?${new URLSearchParams({ client: actor }).toString()}`}>
            {words.allCalls}
          </Link>
        </div>
        {entries === undefined && calls.error === undefined && <Skeleton rows={4} />}
        {entries?.length === 0 && <p class="muted">{words.didNothing}</p>}
        {[...Map.groupBy(burstsOf(entries ?? []), dayOf)].map(([day, bursts]) => (
          <section key={day} class="timeline-day">
            <h3>
              {day} <FailedOfDay actor={actor} day={day} bursts={bursts} />
            </h3>
            <ol>
              {bursts.map((burst) => (
                <li key={burst.calls[0]?.id}>
                  <BurstLine
                    burst={burst}
                    name={displayNameOf(burst.integration, integrations)}
                    logo={integrations?.find(({ name }) => name === burst.integration)?.logo ?? null}
                  />
                </li>
              ))}
            </ol>
          </section>
        ))}
      </section>
    </div>
  );
}

function BurstLine({ burst: { calls }, name, logo }: { burst: Burst; name: string; logo: string | null }) {
  const [newest] = calls;
  if (newest === undefined) return null;
  const failed = calls.filter(hasFailed).length;
  const refused = calls.filter(({ success }) => !success).length - failed;
  const tools = [...Map.groupBy(calls, ({ tool }) => tool)].map(([tool, own]) =>
    own.length === 1 ? tool : `${tool} ×${own.length}`,
  );
  const more = tools.length - MOST_TOOLS;
  return (
    <>
      <time dateTime={new Date(newest.created_at * 1000).toISOString()}>
        {clock.format(newest.created_at * 1000)}
      </time>
      <Logo src={logo} name={name} />
      <div>
        <p>
          <Link href={`/activity/${newest.id}`}>{words.burst(calls.length, name)}</Link>
          {failed > 0 && <span class="caller-failed">{words.failed(failed)}</span>}
          {refused > 0 && <span class="caller-refused">{words.refused(refused)}</span>}
        </p>
        <p class="muted">
          {tools.slice(0, MOST_TOOLS).join(', ')}
          {more > 0 && ` +${more}`}
        </p>
      </div>
    </>
  );
}

const RANGES: Readonly<Record<string, string>> = {
  [words.todayHead]: 'today',
  [words.yesterday]: 'yesterday',
};

/** What failed yesterday is what people ask most. */
function FailedOfDay({ actor, day, bursts }: { actor: string; day: string; bursts: readonly Burst[] }) {
  const range = RANGES[day];
  const failed = bursts.flatMap(({ calls }) => calls).filter(hasFailed).length;
  if (range === undefined || failed === 0) return null;
  const query = new URLSearchParams({ client: actor, range, success: 'false' });
  return (
    <Link href={`/activity?${query.toString()}`} class="caller-failed">
      {words.failed(failed)}
    </Link>
  );
}

/** A call that was refused, or waits for an answer, has not failed. */
function hasFailed(entry: AuditEntry): boolean {
  return outcomeOf(entry) === 'failed';
}

function burstsOf(entries: readonly AuditEntry[]): Burst[] {
  const bursts: Burst[] = [];
  for (const entry of entries) {
    const burst = bursts.at(-1);
    const before = burst?.calls.at(-1);
    const goesOn =
      burst?.integration === entry.integration &&
      before !== undefined &&
      before.created_at - entry.created_at < REST_SECONDS;
    if (burst !== undefined && goesOn) burst.calls.push(entry);
    else bursts.push({ integration: entry.integration, calls: [entry] });
  }
  return bursts;
}

function dayOf({ calls: [newest] }: Burst): string {
  const day = new Date((newest?.created_at ?? 0) * 1000);
  const today = new Date();
  if (day.toDateString() === today.toDateString()) return words.todayHead;
  today.setDate(today.getDate() - 1);
  return day.toDateString() === today.toDateString() ? words.yesterday : date.format(day);
}
