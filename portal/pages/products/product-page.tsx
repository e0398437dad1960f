// Shows one product: its service key, its actors, their connect links, and its settings.
import { useState } from 'preact/hooks';
import {
  drawServiceKey,
  eraseProduct,
  fetchProduct,
  type Product,
  revokeServiceKey,
} from '../../api/products.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { LastUse } from '../../parts/last-use.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Link } from '../../router/link.tsx';
import { navigate, setQuery, useLocation } from '../../router/location.ts';
import type { PageProps } from '../../router/match.ts';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { keep, take } from '../../state/cache.ts';
import { type Resource, useResource } from '../../state/use-resource.ts';
import { productsTexts } from '../../texts/products.ts';
import { AdministratorsOnly, isForbidden } from '../people/administrators-only.tsx';
import { Actors } from './actors.tsx';
import { ENDED, PRODUCTS } from './addresses.ts';
import { Links } from './links.tsx';
import { MadeKey, type ShownOnce } from './made-key.tsx';
import { ProductLamp } from './product-lamp.tsx';
import { ProductMark } from './product-mark.tsx';
import { Settings } from './settings.tsx';
import '../../styles/keys.css';
import '../../styles/products.css';

const words = productsTexts.one;
const PARTS = ['actors', 'links', 'settings'] as const;

export function ProductPage({ params }: PageProps) {
  const id = params['id'] ?? '';
  const product = useResource(`product ${id}`, () => fetchProduct(id));
  const { data, error } = product;
  const back = <Back href={PRODUCTS} label={productsTexts.title} />;

  if (isForbidden(error)) return <AdministratorsOnly title={productsTexts.title} />;
  if (error?.status === 404)
    return (
      <Page title={words.missingTitle} lead={words.missingLead} before={back}>
        <Link href={PRODUCTS} class="button">
          {words.goBack}
        </Link>
      </Page>
    );
  return (
    <Page
      title={data?.name ?? productsTexts.title}
      before={
        <>
          {back}
          {data && <ProductMark mark={data.mark} name={data.name} />}
        </>
      }
    >
      <NotLoaded of={[product]} />
      {data === undefined && error === undefined && <Skeleton rows={5} />}
      {data && <OneProduct key={id} product={data} resource={product} />}
    </Page>
  );
}

interface Props {
  product: Product;
  resource: Resource<Product>;
}

function OneProduct({ product, resource }: Props) {
  const asked = useLocation().query.get('show');
  const shown = PARTS.find((part) => part === asked) ?? 'actors';
  const [once, setOnce] = useState<ShownOnce>();
  const [left] = useState(() => take(ENDED));
  const [outcome, setOutcome] = useState<Outcome | undefined>(
    typeof left === 'string' ? { words: left } : undefined,
  );
  return (
    <>
      <Facts product={product} resource={resource} onOnce={setOnce} onOutcome={setOutcome} />
      <OutcomeLine outcome={outcome} />
      {once && <MadeKey product={product} once={once} onDone={() => setOnce(undefined)} />}
      <Tabs
        label={words.parts.label}
        tabs={PARTS.map((key) => ({ key, label: words.parts[key] }))}
        chosen={shown}
        onChoose={(key) => setQuery({ show: key })}
      >
        {shown === 'actors' && <Actors product={product} />}
        {shown === 'links' && <Links id={product.id} />}
        {shown === 'settings' && <Settings product={product} onChanged={resource.set} onOnce={setOnce} />}
      </Tabs>
    </>
  );
}

interface FactsProps extends Props {
  onOnce: (once: ShownOnce) => void;
  onOutcome: (outcome: Outcome) => void;
}

function Facts({ product, resource, onOnce, onOutcome }: FactsProps) {
  const { actors, createdAt, id, lastUsedAt, maxActors, name, revoked } = product;

  function leave(outcome: string): void {
    navigate(PRODUCTS);
    keep(ENDED, outcome);
  }

  return (
    <section class="panel product-facts" aria-label={words.facts}>
      <p class="muted agent-facts">
        <ProductLamp product={product} />
        <span>{productsTexts.actorsOf(actors, maxActors)}</span>
        <LastUse words={productsTexts} at={lastUsedAt} />
        <span>
          {productsTexts.made} <RelativeTime at={createdAt} />
        </span>
      </p>
      <div class="row product-actions">
        <Link href={`/activity?of=everybody&client=service:${id}`} class="button">
          {words.calls}
        </Link>
        <ConfirmButton
          label={words.draw}
          title={words.drawTitle}
          loses={!revoked}
          onConfirm={async () => {
            const { key } = await drawServiceKey(id);
            resource.set({ ...product, revoked: false });
            onOnce({ key });
          }}
        >
          <p>{revoked ? words.drawRevoked : words.drawEffect}</p>
        </ConfirmButton>
        {!revoked && (
          <ConfirmButton
            quiet
            label={words.revoke}
            title={words.revokeTitle(name)}
            onConfirm={async () => {
              await revokeServiceKey(id);
              // Another actor may have come in the meantime, so the gateway says what is left.
              const now = await fetchProduct(id).catch(() => null);
              if (now === null) return leave(productsTexts.deleted(name));
              resource.set(now);
              onOutcome({ words: productsTexts.revoked(name) });
            }}
          >
            <p>{words.revokeEffect}</p>
            <p>{actors === 0 ? words.revokeDeletes : words.revokeKeeps(actors)}</p>
          </ConfirmButton>
        )}
        {(actors > 0 || revoked) && (
          <ConfirmButton
            quiet
            label={words.erase}
            title={words.eraseTitle(name)}
            onConfirm={async () => {
              await eraseProduct(id);
              leave(productsTexts.erasing(name));
            }}
          >
            <p>{words.eraseEffect(actors)}</p>
          </ConfirmButton>
        )}
      </div>
    </section>
  );
}
