// Search, categories, and the sections that they leave.
import type { WithState } from '../../connect/state.ts';
import { Chips } from '../../parts/chips.tsx';
import { Empty } from '../../parts/empty.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { texts } from '../../texts.ts';
import { Card } from './card.tsx';
import { categoriesOf, categoryLabel, matching, sectionOf, SECTIONS } from './sections.ts';

const words = texts.integrations;

export function Gallery({
  all,
  onConnect,
}: {
  all: readonly WithState[];
  onConnect: (integration: WithState) => void;
}) {
  const { query: address } = useLocation();
  const query = address.get('q') ?? '';
  const category = address.get('category') ?? '';
  const found = matching(all, query.trim(), category);
  const categories = categoriesOf(all);

  if (all.length === 0) return <Empty title={words.noneTitle} lead={words.noneLead} />;
  return (
    <>
      <div class="gallery-tools">
        <SearchField label={words.search} value={query} onChange={(q) => setQuery({ q })} />
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
        {query === '' && category === '' ? '' : words.found(found.length)}
      </p>
      {found.length === 0 && (
        <Empty title={words.noMatch(query)} lead={words.noMatchLead}>
          <button type="button" class="button" onClick={() => setQuery({ q: '', category: '' })}>
            {texts.actions.showAll}
          </button>
        </Empty>
      )}
      {SECTIONS.map((key) => {
        const members = found.filter((integration) => sectionOf(integration) === key);
        return (
          members.length > 0 && (
            <section key={key} class="section" aria-labelledby={`section-${key}`}>
              <h2 id={`section-${key}`} class="section-title">
                {words.sections[key]} <span class="section-count">{members.length}</span>
              </h2>
              {key === 'waiting' && <p class="section-note">{words.waitingNote}</p>}
              <ul class="cards">
                {members.map((integration) => (
                  <Card key={integration.name} integration={integration} onConnect={onConnect} />
                ))}
              </ul>
            </section>
          )
        );
      })}
    </>
  );
}
