// Shows the latest calls, and polls them while somebody sees the page.
import { type AuditEntry, type AuditPage, fetchAudit } from '../../api/audit.ts';
import type { Integration } from '../../api/integrations.ts';
import { colourOf, outcomeOf } from '../../parts/call-outcome.ts';
import { displayNameOf } from '../../parts/display-name.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { namePerson } from '../../parts/person-of-call.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { toolWords } from '../../parts/tool-words.ts';
import { Link } from '../../router/link.tsx';
import { fetchNewestCalls, NEWEST_CALLS } from '../../state/use-newest-calls.ts';
import { LIVE_MS, usePollOf } from '../../state/use-poll.ts';
import { type Resource, useResource } from '../../state/use-resource.ts';
import { overviewTexts as words } from '../../texts/overview.ts';
import { texts } from '../../texts/texts.ts';
import { nameOfAgent } from '../activity/agents.ts';
import { errorOf } from '../activity/error-of.ts';

const ROWS = 8;

export function useFeed(of: 'everybody' | undefined): Resource<AuditPage> {
  const own = of === undefined;
  const feed = useResource(own ? NEWEST_CALLS : `${NEWEST_CALLS} ${of}`, () =>
    own ? fetchNewestCalls() : fetchAudit({ integration: '', success: '', of }),
  );
  usePollOf(feed, LIVE_MS);
  return feed;
}

interface Props {
  feed: Resource<AuditPage>;
  of: 'everybody' | undefined;
  integrations: readonly Integration[] | undefined;
}

export function LiveFeed({ feed, of, integrations }: Props) {
  const entries = feed.data?.entries.slice(0, ROWS);
  return (
    <section class="panel overview-feed" aria-labelledby="latest-calls">
      <div class="panel-head">
        <h2 id="latest-calls">{words.live}</h2>
        <Link href={of === undefined ? '/activity' : '/activity?of=everybody'}>{words.allCalls}</Link>
      </div>
      <NotLoaded of={[feed]} />
      {entries === undefined && feed.error === undefined && <Skeleton rows={4} />}
      {entries?.length === 0 && <p class="muted">{words.none}</p>}
      {entries !== undefined && entries.length > 0 && (
        <ol class="feed" aria-label={words.live}>
          {entries.map((entry) => (
            <FeedRow key={entry.id} entry={entry} of={displayNameOf(entry.integration, integrations)} />
          ))}
        </ol>
      )}
    </section>
  );
}

function FeedRow({ entry, of }: { entry: AuditEntry; of: string }) {
  const { id, tool, integration, created_at, user } = entry;
  const agent = nameOfAgent(entry, user !== undefined);
  const person = user && (user.email === null ? words.somebodyGone : namePerson(user.email));
  const error = errorOf(entry, of);
  return (
    <li class="feed-call">
      <p class="feed-tool">
        <Link href={`/activity/${id}`} title={tool}>
          {toolWords(tool, integration)}
        </Link>
      </p>
      <span class="feed-when">
        <RelativeTime at={created_at} />
      </span>
      <p class="feed-where">{[of, person, agent].filter(Boolean).join(' · ')}</p>
      <span class="feed-outcome">
        <Outcome entry={entry} />
      </span>
      {error !== undefined && (
        <p class="feed-error" title={error.raw}>
          {error.short}
        </p>
      )}
    </li>
  );
}

function Outcome({ entry }: { entry: AuditEntry }) {
  // Only what went wrong needs the eye.
  if (entry.success) return <span class="visually-hidden">{words.succeeded}</span>;
  const outcome = outcomeOf(entry);
  return <Lamp colour={colourOf(outcome)}>{texts.activity[outcome]}</Lamp>;
}
