// Shows one actor of a product: what it has connected, the calls for it, and how to erase it.
import {
  eraseActor,
  fetchActorConnections,
  fetchActors,
  fetchActorUsage,
  fetchProduct,
} from '../../api/products.ts';
import { fetchIntegrations } from '../../api/integrations.ts';
import { AccountLamp } from '../../parts/account-lamp.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { displayNameOf } from '../../parts/display-name.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Row } from '../../parts/row.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { navigate } from '../../router/location.ts';
import type { PageProps } from '../../router/match.ts';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { keep } from '../../state/cache.ts';
import { useResource } from '../../state/use-resource.ts';
import { productsTexts } from '../../texts/products.ts';
import { AdministratorsOnly, isForbidden } from '../people/administrators-only.tsx';
import { addressOf, ENDED } from './addresses.ts';
import '../../styles/products.css';

const words = productsTexts.actor;

export function ActorPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const externalId = params['externalId'] ?? '';
  const of = `${id} ${externalId}`;
  const product = useResource(`product ${id}`, () => fetchProduct(id));
  const connections = useResource(`actor connections ${of}`, () => fetchActorConnections(id, externalId));
  const usage = useResource(`actor usage ${of}`, () => fetchActorUsage(id, externalId));
  const integrations = useResource('integrations', fetchIntegrations);
  const actors = useResource(`actor ${of}`, () => fetchActors(id, externalId));
  const known = actors.data?.actors.find((each) => each.externalId === externalId)?.name ?? null;
  const nameOf = (name: string) => displayNameOf(name, integrations.data);
  const back = <Back href={addressOf(id)} label={product.data?.name ?? productsTexts.title} />;

  if (isForbidden(connections.error)) return <AdministratorsOnly title={words.title} />;
  if (connections.error?.status === 404)
    return <Page title={words.missingTitle} lead={words.missingLead} before={back} />;
  return (
    <Page
      title={known ?? externalId}
      lead={product.data && words.of(product.data.name, known === null ? undefined : externalId)}
      before={back}
      actions={
        connections.data && (
          <ConfirmButton
            quiet
            label={words.erase}
            title={words.eraseTitle(externalId)}
            onConfirm={async () => {
              await eraseActor(id, externalId);
              keep(ENDED, words.erased(externalId));
              navigate(addressOf(id));
            }}
          >
            <p>{words.eraseEffect}</p>
          </ConfirmButton>
        )
      }
    >
      <NotLoaded of={[connections, usage]} />
      <section class="section" aria-labelledby="actor-connections">
        <h2 id="actor-connections" class="section-title">
          {words.connections}
        </h2>
        {connections.data === undefined && connections.error === undefined && <Skeleton rows={2} />}
        {connections.data?.length === 0 && <p class="muted">{words.noConnections}</p>}
        {connections.data !== undefined && connections.data.length > 0 && (
          <ul class="rows" aria-labelledby="actor-connections">
            {connections.data.map(({ account, connectedAt, integration, label, status }) => (
              <Row
                key={`${integration} ${label ?? ''}`}
                heading="h3"
                name={nameOf(integration)}
                id={[label, account?.label].filter((each) => each !== undefined).join(' · ') || undefined}
                facts={
                  <span>
                    {words.connectedAt} <RelativeTime at={connectedAt} />
                  </span>
                }
                actions={<AccountLamp status={status} />}
              />
            ))}
          </ul>
        )}
      </section>
      <section class="section" aria-labelledby="actor-usage">
        <h2 id="actor-usage" class="section-title">
          {words.usage}
        </h2>
        {usage.data === undefined && usage.error === undefined && <Skeleton rows={2} />}
        {usage.data?.calls === 0 && <p class="muted">{words.noCalls}</p>}
        {usage.data !== undefined && usage.data.calls > 0 && (
          <>
            <p class="product-lead">{words.calls(usage.data.calls, usage.data.failed)}</p>
            <ul class="rows" aria-labelledby="actor-usage">
              {usage.data.integrations.map(({ calls, failed, name }) => (
                <Row key={name} heading="h3" name={nameOf(name)} facts={words.calls(calls, failed)} />
              ))}
            </ul>
          </>
        )}
      </section>
    </Page>
  );
}
