// Shows the integrations in sections, with a search field and categories.
import { useMemo, useRef } from 'preact/hooks';
import { fetchCatalogue, type ImportEntry } from '../../api/imports.ts';
import type { WithState } from '../../connect/state.ts';
import { Chips } from '../../parts/chips.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NoMatch } from '../../parts/no-match.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { useGradually } from '../../state/use-gradually.ts';
import { useResource } from '../../state/use-resource.ts';
import { useSearch } from '../../state/use-search.ts';
import { lazyPart } from '../../shell/lazy.tsx';
import { texts } from '../../texts/texts.ts';
import { Card } from './card.tsx';
import {
  categoriesOf,
  categoryLabel,
  connectedOnly,
  filterIntegrations,
  groupOf,
  notYetAdded,
  sectionOf,
  SECTIONS,
} from './sections.ts';

const words = texts.integrations;

/** They are below all others, where nobody waits for them. */
const MoreServices = lazyPart(
  () => import('../imports/more-services.tsx').then((module) => module.MoreServices),
  { isQuiet: true },
);

/** How many cards a window shows below the first steps, or a little less. */
const BELOW_STEPS = 4;

interface Props {
  all: readonly WithState[];
  imports: readonly ImportEntry[];
  /** Whether the first steps fill most of the window above it. */
  isBelowSteps: boolean;
  onConnect: (integration: WithState) => void;
}

export function Gallery({ all, imports, isBelowSteps, onConnect }: Props) {
  const [query, setWords] = useSearch();
  const { query: address } = useLocation();
  const category = groupOf(address.get('category') ?? '');
  const isConnectedOnly = address.get('connected') === 'only';
  const field = useRef<HTMLInputElement>(null);
  const catalogue = useResource('catalogue', fetchCatalogue);
  const found = filterIntegrations(isConnectedOnly ? connectedOnly(all) : all, query.trim(), category);
  const servers = isConnectedOnly ? [] : notYetAdded(catalogue.data ?? [], imports);
  const more = filterIntegrations(servers, query.trim(), category);
  const categories = useMemo(() => categoriesOf(all), [all]);
  // Preact skips elements that did not change, and most cards stay the same while the person types.
  const cards = useMemo(
    () =>
      new Map(
        all.map((each) => [each.name, <Card key={each.name} integration={each} onConnect={onConnect} />]),
      ),
    [all],
  );
  const subject = `${category} ${isConnectedOnly} ${query}`;
  let remaining = useGradually(found.length, subject, isBelowSteps ? BELOW_STEPS : undefined);

  if (all.length === 0) return <Empty icon="integrations" title={words.noneTitle} lead={words.noneLead} />;
  return (
    <>
      <div class="gallery-tools">
        <div class="gallery-find">
          <SearchField label={words.search} value={query} onChange={setWords} field={field} />
          <button
            type="button"
            class="chip"
            aria-pressed={isConnectedOnly}
            onClick={() => setQuery({ connected: isConnectedOnly ? '' : 'only' })}
          >
            {words.connectedOnly}
          </button>
        </div>
        {categories.length > 1 && (
          <Chips
            label={words.categories}
            choices={[
              { value: '', label: words.all },
              ...categories.map((value) => ({ value, label: categoryLabel(value) })),
            ]}
            chosen={category}
            onChoose={(value) => setQuery({ category: value })}
          />
        )}
      </div>
      <p class="visually-hidden" role="status">
        {query === '' && category === '' && !isConnectedOnly ? '' : words.found(found.length + more.length)}
      </p>
      {found.length + more.length === 0 && (
        <NoMatch
          title={isConnectedOnly && query === '' ? words.noneConnected : words.noMatch(query)}
          field={field}
          onShowAll={() => {
            setWords('');
            setQuery({ category: '', connected: '' });
          }}
        />
      )}
      {SECTIONS.map((key) => {
        const members = found.filter((integration) => sectionOf(integration) === key);
        const shown = members.slice(0, Math.max(remaining, 0));
        remaining -= members.length;
        return (
          shown.length > 0 && (
            <section key={key} class="section" aria-labelledby={`section-${key}`}>
              <h2 id={`section-${key}`} class="section-title">
                {words.sections[key]} <span class="section-count">{members.length}</span>
              </h2>
              {key === 'waiting' && <p class="section-note">{words.waitingNote}</p>}
              <ul class={key === 'waiting' ? 'cards cards-small' : 'cards'}>
                {shown.map(({ name }) => cards.get(name))}
              </ul>
            </section>
          )
        );
      })}
      {more.length > 0 && (
        <MoreServices servers={more} integrations={all} isSearched={query !== '' || category !== ''} />
      )}
    </>
  );
}
