// Lists calls, newest first, and new ones as they arrive.
import { useRef, useState } from 'preact/hooks';
import type { Integration } from '../../api/integrations.ts';
import { displayNameOf } from '../../parts/display-name.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useKeptPlace } from '../../state/use-kept-place.ts';
import type { Resource } from '../../state/use-resource.ts';
import { PART, useWindow } from '../../state/use-window.ts';
import { texts } from '../../texts/texts.ts';
import { CallRow } from './call-row.tsx';
import { appendOlder, type Calls, fetchOlder } from './calls.ts';
import { type Choice, filterOf, isNarrowed } from './choice.ts';
import { End, More } from './more.tsx';
import { NoCalls, NoMatch } from './nothing.tsx';
import { useHeld } from './use-held.ts';

const words = texts.activity;
const { columns } = words;

interface Props {
  calls: Resource<Calls>;
  /** The name under which the calls are kept. */
  kept: string;
  choice: Choice;
  integrations: readonly Integration[] | undefined;
  onClear: () => void;
}

export function CallList({ calls, kept, choice, integrations, onClear }: Props) {
  const { entries = [], nextCursor: cursor, searchedUntil, extended = false } = calls.data ?? {};
  const [loaded, setLoaded] = useState('');
  const list = useRef<HTMLDivElement>(null);
  // A person who loaded older calls returns to the same scroll position.
  useKeptPlace(kept, extended);
  const { shown, waiting, show } = useHeld(kept, entries, list);
  const rows = useRef<HTMLUListElement>(null);
  const parts = useWindow(shown, rows);

  async function loadOlder(from: string): Promise<void> {
    const older = await fetchOlder(filterOf(choice), from);
    setLoaded(kept);
    calls.change((now) => (now.nextCursor === from ? appendOlder(now, older) : now));
  }

  return (
    <>
      <NotLoaded of={[calls]} />
      {calls.data === undefined && calls.error === undefined && <Skeleton rows={8} />}
      {waiting > 0 && (
        <div class="waiting-calls">
          <button type="button" class="button" onClick={show}>
            {words.newCalls(waiting)}
          </button>
        </div>
      )}
      {shown.length > 0 && (
        <div ref={list} class={choice.ofAll ? 'calls calls-of-all' : 'calls'}>
          <p class="call call-heads" aria-hidden="true">
            <span>{columns.when}</span>
            <span>{columns.outcome}</span>
            <span>{columns.tool}</span>
            <span>{choice.ofAll ? columns.personAndAgent : columns.agent}</span>
            <span>{columns.account}</span>
            <span class="call-duration">{columns.duration}</span>
            <span>{columns.error}</span>
          </p>
          <ul ref={rows} aria-label={words.title}>
            {parts.map((part) =>
              'height' in part ? (
                <li key={`part ${part.at}`} aria-hidden="true" style={{ height: `${part.height}px` }} />
              ) : (
                part.rows.map((entry) => (
                  <CallRow
                    key={entry.id}
                    entry={entry}
                    of={displayNameOf(entry.integration, integrations)}
                    part={part.at}
                  />
                ))
              ),
            )}
          </ul>
        </div>
      )}
      {calls.data !== undefined && entries.length === 0 && cursor === undefined && (
        <>{isNarrowed(choice) ? <NoMatch onClear={onClear} /> : <NoCalls />}</>
      )}
      {cursor !== undefined && (
        <More
          searchedUntil={searchedUntil}
          isEmpty={entries.length === 0}
          isLong={entries.length >= PART}
          onMore={() => loadOlder(cursor)}
        />
      )}
      {extended && entries.length > 0 && cursor === undefined && <End takesFocus={loaded === kept} />}
    </>
  );
}
