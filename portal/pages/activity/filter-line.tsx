// Renders the one line that chooses calls: the search, a chip for each filter in use, and the menus that add more.
import { useId, useRef, useState } from 'preact/hooks';
import { type AuditEntry, type AuditFormat, exportAudit } from '../../api/audit.ts';
import { ApiError } from '../../api/client.ts';
import type { Integration } from '../../api/integrations.ts';
import { fetchPeople } from '../../api/people.ts';
import { download } from '../../parts/download.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Icon } from '../../parts/icon.tsx';
import { MoreMenu } from '../../parts/more-menu.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { setQuery } from '../../router/location.ts';
import { useRankedTools } from '../../state/use-ranked-tools.ts';
import { useResource } from '../../state/use-resource.ts';
import { streamTexts as words } from '../../texts/stream.ts';
import { texts } from '../../texts/texts.ts';
import { useAgentChoices } from './agents.ts';
import { chipsOf } from './chips-of.ts';
import { type Choice, filterOf } from './choice.ts';
import { Filters } from './filters.tsx';

const MAX_TOOLS = 5;
const FORMATS: readonly AuditFormat[] = ['csv', 'ndjson'];

interface Props {
  choice: Choice;
  query: string;
  onQuery: (query: string) => void;
  integrations: readonly Integration[] | undefined;
  entries: readonly AuditEntry[];
  onRefresh: () => void;
}

export function FilterLine({ choice, query, onQuery, integrations, entries, onRefresh }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState(false);
  const agents = useAgentChoices(choice.ofAll, entries, choice.client);
  const people = usePeople(choice, entries);
  const chips = chipsOf(choice, { agents, integrations, people });

  async function exportAs(format: AuditFormat): Promise<void> {
    setProblem(false);
    const filter = choice.isGrouped ? { ...filterOf(choice), success: 'false' } : filterOf(choice);
    try {
      const file = await exportAudit(filter, format);
      download(`audit.${format}`, file, file.type);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(true);
    }
  }

  return (
    <>
      <div class="filter-line">
        <SearchField label={texts.activity.search} value={query} onChange={onQuery} field={field} />
        <div class="filter-chips">
          {chips.length > 0 && (
            <ul aria-label={words.chosen}>
              {chips.map(({ label, removal }) => (
                <li key={label}>
                  <button
                    type="button"
                    class="chip filter-chip"
                    aria-label={words.remove(label)}
                    onClick={() => {
                      setQuery(removal);
                      field.current?.focus({ preventScroll: true });
                    }}
                  >
                    <bdi>{label}</bdi>
                    <Icon name="close" />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <AddFilter choice={choice} integrations={integrations} entries={entries} />
        </div>
        <MoreMenu
          named={words.more}
          actions={[
            {
              label: choice.isGrouped ? words.showCalls : words.showGrouped,
              act: () => setQuery({ view: choice.isGrouped ? '' : 'failures', call: '' }),
            },
            ...FORMATS.map((format) => ({
              label: words.exportAs[format],
              act: () => void exportAs(format),
            })),
            { label: words.refresh, act: onRefresh },
          ]}
        />
      </div>
      {problem && <ErrorNotice message={words.exportFailed} />}
      <MeantTools query={query} onQuery={onQuery} onChosen={() => field.current?.focus()} />
    </>
  );
}

function AddFilter(props: Pick<Props, 'choice' | 'integrations' | 'entries'>) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);

  /** The panel is in the top layer, so it is placed when it opens. */
  function place(): void {
    const { bottom = 0, left = 0 } = button.current?.getBoundingClientRect() ?? {};
    panel.current?.style.setProperty('--panel-top', `${Math.round(bottom + 6 + scrollY)}px`);
    panel.current?.style.setProperty('--panel-left', `${Math.round(left)}px`);
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        class="chip filter-add"
        popovertarget={id}
        aria-haspopup="dialog"
        onClick={place}
      >
        <Icon name="add" />
        {words.addFilter}
      </button>
      <div
        ref={panel}
        id={id}
        class="filter-panel"
        popover="auto"
        role="dialog"
        aria-label={texts.activity.filters}
      >
        <Filters {...props} />
      </div>
    </>
  );
}

/** Offers the tools that the words may mean. The gateway ranks them as it does for agents, and forgives typing errors. */
function MeantTools({
  query,
  onQuery,
  onChosen,
}: Pick<Props, 'query' | 'onQuery'> & { onChosen: () => void }) {
  const { found } = useRankedTools(query, MAX_TOOLS);
  const { meant } = texts.activity;
  if (found.length === 0) return null;
  return (
    <div class="meant" role="group" aria-label={meant}>
      <span class="muted">{meant}</span>
      {found.map(({ name }) => (
        <button
          key={name}
          type="button"
          class="chip"
          onClick={() => {
            onQuery('');
            setQuery({ tool: name, q: '' });
            onChosen();
          }}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

/** The people whom the list of people, or a call on the page, names. */
function usePeople({ ofAll, person }: Choice, entries: readonly AuditEntry[]): ReadonlyMap<string, string> {
  const isWanted = ofAll && person !== '';
  const people = useResource(isWanted ? 'people ' : 'no people', async () =>
    isWanted ? fetchPeople('') : null,
  );
  const listed = (people.data?.people ?? []).map(({ id, email }) => [id, email] as const);
  const called = entries.flatMap(({ user }) => (user?.email ? [[user.id, user.email] as const] : []));
  return new Map([...called, ...listed]);
}
