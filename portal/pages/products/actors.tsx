// Lists the actors of a product, a page at a time, and opens one by its id.
import { useId, useRef, useState } from 'preact/hooks';
import { fetchActors, type Product } from '../../api/products.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Form } from '../../parts/form.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Row } from '../../parts/row.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { navigate } from '../../router/location.ts';
import { useResource } from '../../state/use-resource.ts';
import { productsTexts } from '../../texts/products.ts';
import { addressOfActor } from './addresses.ts';

const words = productsTexts.actors;

export function Actors({ product: { actors: count, id } }: { product: Product }) {
  const actors = useResource(`actors ${id}`, () => fetchActors(id));
  const { data, error } = actors;
  const next = data?.nextCursor;

  async function more(cursor: string): Promise<void> {
    const found = await fetchActors(id, cursor);
    actors.change((now) =>
      now.nextCursor === cursor ? { ...found, actors: [...now.actors, ...found.actors] } : now,
    );
  }

  return (
    <>
      <NotLoaded of={[actors]} />
      {data === undefined && error === undefined && <Skeleton rows={4} />}
      {data?.actors.length === 0 && <Empty icon="people" title={words.none} lead={words.noneLead} />}
      {data !== undefined && data.actors.length > 0 && (
        <>
          <div class="product-find">
            <OpenActor id={id} />
            <p class="muted" role="status">
              {words.shown(data.actors.length, next === undefined ? data.actors.length : count)}
            </p>
          </div>
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
        </>
      )}
      {next !== undefined && (
        <div class="more">
          <ActionButton label={words.more} onAct={() => more(next)} />
        </div>
      )}
    </>
  );
}

function OpenActor({ id }: { id: string }) {
  const [externalId, setExternalId] = useState('');
  const [problem, setProblem] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const name = useId();

  function open(): void {
    if (externalId.trim() !== '') return navigate(addressOfActor(id, externalId.trim()));
    setProblem(words.idMissing);
    field.current?.focus();
  }

  return (
    <Form class="product-open" isInline submitLabel={words.open} submitClass="button" onSubmit={open}>
      <div>
        <label class="visually-hidden" for={name}>
          {words.id}
        </label>
        <input
          ref={field}
          id={name}
          placeholder={words.id}
          value={externalId}
          autoComplete="off"
          spellcheck={false}
          aria-invalid={problem !== ''}
          aria-describedby={`${name}-problem`}
          onInput={({ currentTarget }) => setExternalId(currentTarget.value)}
        />
        <p id={`${name}-problem`} class="connect-problem">
          {problem}
        </p>
      </div>
    </Form>
  );
}
