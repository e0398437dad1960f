// Lists calls by day, newest first, and new ones as they arrive. A long list has only its nearest rows in the document.
import { Fragment } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { AuditEntry } from '../../api/audit.ts';
import type { Integration } from '../../api/integrations.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { navigate, setQuery } from '../../router/location.ts';
import { useKeptPlace } from '../../state/use-kept-place.ts';
import type { Resource } from '../../state/use-resource.ts';
import { useRoving } from '../../state/use-roving.ts';
import { PART, useWindow } from '../../state/use-window.ts';
import { streamTexts } from '../../texts/stream.ts';
import { texts } from '../../texts/texts.ts';
import { CallRow } from './call-row.tsx';
import { appendOlder, type Calls, fetchOlder } from './calls.ts';
import { type Choice, filterOf, isNarrowed } from './choice.ts';
import { Drawer } from './drawer.tsx';
import { End, More } from './more.tsx';
import { NoCalls, NoMatch } from './nothing.tsx';
import { useHeld } from './use-held.ts';

const words = texts.activity;
/** Where the window has room for a call beside the list. */
const WIDE = '(min-width: 1080px)';

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
  const isOpen = choice.call !== '' && matchMedia(WIDE).matches;
  const { shown, waiting, show } = useHeld(kept, entries, list, isOpen);

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
      <div class={isOpen ? 'stream stream-open' : 'stream'}>
        <div>
          {shown.length > 0 && (
            <div ref={list} class={choice.ofAll ? 'calls calls-of-all' : 'calls'}>
              <Rows
                rows={shown}
                isWhole={cursor === undefined}
                integrations={integrations}
                open={isOpen ? choice.call : ''}
              />
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
        </div>
        {isOpen && <Drawer id={choice.call} ids={shown.map(({ id }) => id)} />}
      </div>
    </>
  );
}

interface RowsProps {
  rows: readonly AuditEntry[];
  /** Whether the rows are all that there are. */
  isWhole: boolean;
  integrations: Props['integrations'];
  /** The id of the call beside the list, or nothing. */
  open: string;
}

function Rows({ rows, isWhole, integrations, open }: RowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const parts = useWindow(rows, list);
  useRoving(list);
  const firstShown = parts.find((part) => 'rows' in part)?.at;

  function openBeside(id: number): boolean {
    if (!matchMedia(WIDE).matches) return false;
    setQuery({ call: String(id) });
    return true;
  }

  return (
    <ul ref={list} aria-label={words.title}>
      {parts.map((part) =>
        'height' in part ? (
          <li
            key={`part ${part.at}`}
            data-part={part.at}
            aria-hidden="true"
            style={{ height: `${part.height}px` }}
          />
        ) : (
          part.rows.map((entry, index) => {
            const place = part.at * PART + index;
            const day = dayOf(entry);
            const begins = place === 0 || dayOf(rows[place - 1] ?? entry) !== day;
            // The head of a day whose beginning is not in the document takes no room.
            const goesOn = !begins && index === 0 && part.at === firstShown;
            return (
              <Fragment key={entry.id}>
                {(begins || goesOn) && (
                  <li class={goesOn ? 'call-day call-day-on' : 'call-day'} aria-hidden="true">
                    {day}
                  </li>
                )}
                <CallRow
                  entry={entry}
                  integrations={integrations}
                  part={part.at}
                  place={{ at: place + 1, of: isWhole ? rows.length : -1 }}
                  isOpen={open === String(entry.id)}
                  onOpen={openBeside}
                  onReach={open === '' ? undefined : (id) => setQuery({ call: String(id) })}
                />
              </Fragment>
            );
          })
        ),
      )}
    </ul>
  );
}

const DAY_MS = 86_400_000;
const days = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
const years = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** The name of the day on which the person saw the call. */
function dayOf({ created_at }: AuditEntry): string {
  const moment = new Date(created_at * 1000);
  const now = new Date();
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  if (moment.getTime() >= today) return streamTexts.today;
  if (moment.getTime() >= today - DAY_MS) return streamTexts.yesterday;
  return (moment.getFullYear() === now.getFullYear() ? days : years).format(moment);
}

/** Goes to the page of a call whose address names it beside the list, where there is no room for it. */
export function goToPageOfCall(call: string): void {
  if (call !== '' && !matchMedia(WIDE).matches)
    navigate(`/activity/${encodeURIComponent(call)}`, { replace: true });
}
