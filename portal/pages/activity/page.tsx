// What was called as this person, and how it went.
import { useEffect, useRef, useState } from 'preact/hooks';
import { fetchAudit } from '../../api/audit.ts';
import { fetchIntegrations } from '../../api/integrations.ts';
import type { AuditPage } from '../../api/types.ts';
import { usePoll } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { displayNameOf } from '../../parts/display-name.ts';
import { Empty } from '../../parts/empty.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts.ts';
import { CallRow } from './call-row.tsx';
import { Filters } from './filters.tsx';

const words = texts.activity;
const EVERY_MS = 4000;

export function ActivityPage() {
  const { query } = useLocation();
  const filter = { integration: query.get('integration') ?? '', success: query.get('success') ?? '' };
  const key = `audit ${filter.integration} ${filter.success}`;
  const first = useResource(key, () => fetchAudit(filter));
  const integrations = useResource('integrations', fetchIntegrations);
  const [older, setOlder] = useState<readonly AuditPage[]>([]);
  useEffect(() => setOlder([]), [key, first.data]);
  const shown = useRef(key);
  shown.current = key;
  // New calls come in by themselves, unless somebody reads further down.
  usePoll(first.data !== undefined && older.length === 0, EVERY_MS, first.reload);

  const pages = first.data === undefined ? [] : [first.data, ...older];
  const entries = pages.flatMap((page) => page.entries);
  const cursor = pages.at(-1)?.nextCursor;
  const filtered = filter.integration !== '' || filter.success !== '';

  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <button type="button" class="button" onClick={first.reload}>
          <Icon name="refresh" />
          {words.refresh}
        </button>
      }
    >
      <Filters filter={filter} integrations={integrations.data} />
      <NotLoaded of={[first]} />
      {first.data === undefined && first.error === undefined && <Skeleton rows={8} />}
      {entries.length > 0 && (
        <ul class="rows calls" aria-label={words.title}>
          {entries.map((entry) => (
            <CallRow key={entry.id} entry={entry} of={displayNameOf(entry.integration, integrations.data)} />
          ))}
        </ul>
      )}
      {first.data !== undefined && entries.length === 0 && cursor === undefined && (
        <>{filtered ? <NoMatch /> : <NoCalls />}</>
      )}
      {cursor !== undefined && (
        <div class="more">
          {entries.length === 0 && <p class="muted">{words.noneSoFar}</p>}
          <ActionButton
            label={words.more}
            onAct={async () => {
              const next = await fetchAudit(filter, cursor);
              // The filter may be another by now.
              if (shown.current === key) setOlder([...older, next]);
            }}
          />
        </div>
      )}
      {older.length > 0 && entries.length > 0 && cursor === undefined && <End />}
    </Page>
  );
}

// The button that was pressed is gone: the focus comes here instead of getting lost.
function End() {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => place.current?.focus({ preventScroll: true }), []);
  return (
    <p ref={place} class="more muted" tabIndex={-1}>
      {words.end}
    </p>
  );
}

function NoCalls() {
  return (
    <Empty title={words.noneTitle} lead={words.noneLead}>
      <Link href="/tools" class="button">
        {words.noneAction}
      </Link>
    </Empty>
  );
}

function NoMatch() {
  return (
    <Empty title={words.noMatchTitle} lead={words.noMatchLead}>
      <button type="button" class="button" onClick={() => setQuery({ integration: '', success: '' })}>
        {texts.actions.showAll}
      </button>
    </Empty>
  );
}
