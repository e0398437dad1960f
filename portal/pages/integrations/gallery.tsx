// Search, categories, and the sections that they leave.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { WithState } from '../../connect/state.ts';
import { Chips } from '../../parts/chips.tsx';
import { Empty } from '../../parts/empty.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { useGradually } from '../../state/use-gradually.ts';
import { texts } from '../../texts.ts';
import { Card } from './card.tsx';
import { categoriesOf, categoryLabel, matching, sectionOf, SECTIONS } from './sections.ts';

const words = texts.integrations;
const REST_MS = 250;

interface Props {
  all: readonly WithState[];
  onConnect: (integration: WithState) => void;
}

export function Gallery({ all, onConnect }: Props) {
  const { query: address } = useLocation();
  const [query, setWords] = useState(address.get('q') ?? '');
  const [category, setCategory] = useState(address.get('category') ?? '');
  const addressed = searchOf(address.get('q') ?? '', address.get('category') ?? '');
  const found = matching(all, query.trim(), category);
  const categories = useMemo(() => categoriesOf(all), [all]);
  // The same elements as before are not looked at again, which is most of them with every letter.
  const cards = useMemo(
    () =>
      new Map(
        all.map((each) => [each.name, <Card key={each.name} integration={each} onConnect={onConnect} />]),
      ),
    [all],
  );
  let room = useGradually(found.length, `${category} ${query}`);

  // Into the address once the fingers rest: browsers count how often it changes.
  const written = useRef(addressed);
  useEffect(() => {
    const timer = setTimeout(() => {
      written.current = searchOf(query, category);
      setQuery({ q: query, category });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [query, category]);
  useEffect(() => {
    if (addressed === written.current) return;
    written.current = addressed;
    setWords(address.get('q') ?? '');
    setCategory(address.get('category') ?? '');
  }, [addressed]);

  if (all.length === 0) return <Empty title={words.noneTitle} lead={words.noneLead} />;
  return (
    <>
      <div class="gallery-tools">
        <SearchField label={words.search} value={query} onChange={setWords} />
        {categories.length > 1 && (
          <Chips
            label={words.categories}
            choices={[
              { value: '', label: words.all },
              ...categories.map((value) => ({ value, label: categoryLabel(value) })),
            ]}
            chosen={category}
            onChoose={setCategory}
          />
        )}
      </div>
      <p class="visually-hidden" role="status">
        {query === '' && category === '' ? '' : words.found(found.length)}
      </p>
      {found.length === 0 && (
        <Empty title={words.noMatch(query)} lead={words.noMatchLead}>
          <button
            type="button"
            class="button"
            onClick={() => {
              setWords('');
              setCategory('');
            }}
          >
            {texts.actions.showAll}
          </button>
        </Empty>
      )}
      {SECTIONS.map((key) => {
        const members = found.filter((integration) => sectionOf(integration) === key);
        const shown = members.slice(0, Math.max(room, 0));
        room -= members.length;
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
    </>
  );
}

function searchOf(query: string, category: string): string {
  return new URLSearchParams({ q: query, category }).toString();
}
