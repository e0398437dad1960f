// Lists the connect links of a product, the newest first, without the links themselves.
import { type ActorLinkPage, fetchActorLinks } from '../../api/products.ts';
import { fetchIntegrations } from '../../api/integrations.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { displayNameOf } from '../../parts/display-name.ts';
import { Lamp, type LampColour } from '../../parts/lamp.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Row } from '../../parts/row.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { useResource } from '../../state/use-resource.ts';
import { productsTexts } from '../../texts/products.ts';
import { addressOfActor } from './addresses.ts';

const words = productsTexts.links;
type State = ActorLinkPage['links'][number]['state'];
const COLOURS: Record<State, LampColour> = {
  open: 'off',
  opened: 'amber',
  connected: 'green',
  expired: 'off',
};

export function Links({ id }: { id: string }) {
  const links = useResource(`actor links ${id}`, () => fetchActorLinks(id));
  const integrations = useResource('integrations', fetchIntegrations);
  const { data, error } = links;
  const next = data?.nextCursor;

  async function more(cursor: string): Promise<void> {
    const found = await fetchActorLinks(id, cursor);
    links.change((now) =>
      now.nextCursor === cursor ? { ...found, links: [...now.links, ...found.links] } : now,
    );
  }

  return (
    <>
      <p class="muted product-lead">{words.lead}</p>
      <NotLoaded of={[links]} />
      {data === undefined && error === undefined && <Skeleton rows={4} />}
      {data?.links.length === 0 && <p class="muted">{words.none}</p>}
      {data !== undefined && data.links.length > 0 && (
        <ul class="rows" aria-label={words.title}>
          {data.links.map(({ createdAt, endedAt, externalId, id: link, integration, state }) => (
            <Row
              key={link}
              heading="h2"
              name={
                externalId === null ? (
                  words.gone
                ) : (
                  <Link href={addressOfActor(id, externalId)}>{externalId}</Link>
                )
              }
              facts={
                <>
                  <span>{words.to(displayNameOf(integration, integrations.data))}</span>
                  <span>
                    {words.made} <RelativeTime at={createdAt} />
                  </span>
                  {endedAt !== null && (
                    <span>
                      {words.ended} <RelativeTime at={endedAt} />
                    </span>
                  )}
                </>
              }
              actions={<Lamp colour={COLOURS[state]}>{words.states[state]}</Lamp>}
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
