// Lists the actors of a product, a page at a time, and finds them by a part of their ids.
import { useRef } from 'preact/hooks';
import { fetchActors, type Product } from '../../api/products.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { NoMatch } from '../../parts/no-match.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Row } from '../../parts/row.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { useLocation } from '../../router/location.ts';
import { useResource } from '../../state/use-resource.ts';
import { useSearch } from '../../state/use-search.ts';
import { productsTexts } from '../../texts/products.ts';
import { addressOfActor } from './addresses.ts';

const words = productsTexts.actors;

export function Actors({ product: { actors: count, id } }: { product: Product }) {
  // The list follows the address, which changes once the person stops typing.
  const wanted = (useLocation().query.get('q') ?? '').trim();
  const [query, search] = useSearch();
  const field = useRef<HTMLInputElement>(null);
  const actors = useResource(`actors ${id} ${wanted}`, () => fetchActors(id, wanted));
  const { data, error } = actors;
  const next = data?.nextCursor;
  const isEmpty = wanted === '' && query === '' && data?.actors.length === 0;

  async function more(cursor: string): Promise<void> {
    const found = await fetchActors(id, wanted, cursor);
    actors.change((now) =>
      now.nextCursor === cursor ? { ...found, actors: [...now.actors, ...found.actors] } : now,
    );
  }

  return (
    <>
      <NotLoaded of={[actors]} />
      {isEmpty ? (
        <Empty icon="people" title={words.none} lead={words.noneLead} />
      ) : (
        <div class="list-search">
          <SearchField label={words.search} value={query} onChange={search} field={field} />
          {data !== undefined && (
            <p class="muted" role="status">
              {wanted === ''
                ? words.shown(data.actors.length, next === undefined ? data.actors.length : count)
                : words.found(data.actors.length, next !== undefined)}
            </p>
          )}
        </div>
      )}
      {data === undefined && error === undefined && <Skeleton rows={4} />}
      {!isEmpty && data?.actors.length === 0 && (
        <NoMatch title={words.noMatch(wanted)} field={field} onShowAll={() => search('')} />
      )}
      {data !== undefined && data.actors.length > 0 && (
        <ul class="rows" aria-label={words.title}>
          {data.actors.map(({ connections, createdAt, externalId, name }) => (
            <Row
              key={externalId}
              heading="h2"
              name={<Link href={addressOfActor(id, externalId)}>{name ?? externalId}</Link>}
              id={name === null ? undefined : externalId}
              facts={
                <>
                  <span>{words.connections(connections)}</span>
                  <span>
                    {productsTexts.made} <RelativeTime at={createdAt} />
                  </span>
                </>
              }
            />
          ))}
        </ul>
      )}
      {next !== undefined && (
        <div class="more">
          <ActionButton label={words.more} onAct={() => more(next)} />
        </div>
      )}
    </>
  );
}
