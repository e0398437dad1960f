// Lists the tool calls made on the person's behalf.
import { useEffect, useRef, useState } from 'preact/hooks';
import { fetchAudit } from '../../api/audit.ts';
import { fetchIntegrations } from '../../api/integrations.ts';
import { useKeptPlace } from '../../state/use-kept-place.ts';
import { usePollOf } from '../../state/use-poll.ts';
import { type Resource, useResource } from '../../state/use-resource.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { displayNameOf } from '../../parts/display-name.ts';
import { Empty } from '../../parts/empty.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts/texts.ts';
import { CallRow } from './call-row.tsx';
import { type Calls, fetchCalls, appendOlder } from './calls.ts';
import { Filters } from './filters.tsx';

const words = texts.activity;
const POLL_MS = 4000;

export function ActivityPage() {
  const { query } = useLocation();
  const filter = { integration: query.get('integration') ?? '', success: query.get('success') ?? '' };
  const key = `audit ${filter.integration} ${filter.success}`;
  const calls: Resource<Calls> = useResource(key, () => fetchCalls(filter, calls.data));
  const integrations = useResource('integrations', fetchIntegrations);
  const { entries = [], nextCursor: cursor, extended = false } = calls.data ?? {};
  const [loaded, setLoaded] = useState('');
  // A person who loaded older calls returns to the same scroll position.
  useKeptPlace(key, extended);
  usePollOf(calls, POLL_MS);

  const filtered = filter.integration !== '' || filter.success !== '';

  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <button type="button" class="button" onClick={calls.reload}>
          <Icon name="refresh" />
          {words.refresh}
        </button>
      }
    >
      <Filters filter={filter} integrations={integrations.data} />
      <NotLoaded of={[calls]} />
      {calls.data === undefined && calls.error === undefined && <Skeleton rows={8} />}
      {entries.length > 0 && (
        <ul class="rows calls" aria-label={words.title}>
          {entries.map((entry) => (
            <CallRow key={entry.id} entry={entry} of={displayNameOf(entry.integration, integrations.data)} />
          ))}
        </ul>
      )}
      {calls.data !== undefined && entries.length === 0 && cursor === undefined && (
        <>{filtered ? <NoMatch /> : <NoCalls />}</>
      )}
      {cursor !== undefined && (
        <div class="more">
          {entries.length === 0 && <p class="muted">{words.noneSoFar}</p>}
          <ActionButton
            label={words.more}
            onAct={async () => {
              const older = await fetchAudit(filter, cursor);
              setLoaded(key);
              calls.change((now) => (now.nextCursor === cursor ? appendOlder(now, older) : now));
            }}
          />
        </div>
      )}
      {extended && entries.length > 0 && cursor === undefined && <End takesFocus={loaded === key} />}
    </Page>
  );
}

function End({ takesFocus }: { takesFocus: boolean }) {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The pressed button has disappeared, so the focus moves here.
    if (takesFocus) place.current?.focus({ preventScroll: true });
  }, []);
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
  const button = useRef<HTMLButtonElement>(null);
  useFocusFallback(button);
  return (
    <Empty title={words.noMatchTitle} lead={words.noMatchLead}>
      <button
        ref={button}
        type="button"
        class="button"
        onClick={() => setQuery({ integration: '', success: '' })}
      >
        {texts.actions.showAll}
      </button>
    </Empty>
  );
}
