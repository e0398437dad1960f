// Lists the products whose users connect accounts here: each with its service key, for administrators.
import { useState } from 'preact/hooks';
import { fetchProducts } from '../../api/products.ts';
import { Empty } from '../../parts/empty.tsx';
import { LastUse } from '../../parts/last-use.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { OutcomeLine } from '../../parts/outcome-line.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { Page } from '../../shell/page.tsx';
import { take } from '../../state/cache.ts';
import { useResource } from '../../state/use-resource.ts';
import { productsTexts as words } from '../../texts/products.ts';
import { AdministratorsOnly, isForbidden } from '../people/administrators-only.tsx';
import { addressOf, ENDED, PRODUCTS } from './addresses.ts';
import { ProductLamp } from './product-lamp.tsx';
import { ProductMark } from './product-mark.tsx';
import '../../styles/products.css';

export function ProductsPage() {
  // Shown once: what the page before has ended.
  const [left] = useState(() => take(ENDED));
  const products = useResource('products', fetchProducts);
  const { error } = products;
  const data = products.data?.serviceKeys;
  if (isForbidden(error)) return <AdministratorsOnly title={words.title} />;
  const add = (
    <Link href={`${PRODUCTS}/new`} class="button button-primary">
      {words.add}
    </Link>
  );
  return (
    <Page title={words.title} lead={words.lead} actions={data !== undefined && data.length > 0 && add}>
      <NotLoaded of={[products]} />
      <OutcomeLine outcome={typeof left === 'string' ? { words: left } : undefined} />
      {products.data !== undefined && products.data.erasing > 0 && (
        <p class="muted product-lead" role="status">
          {words.left(products.data.erasing)}
        </p>
      )}
      {data === undefined && error === undefined && <Skeleton rows={3} />}
      {data?.length === 0 && (
        <Empty icon="globe" title={words.none} lead={words.noneLead}>
          {add}
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <ul class="rows" aria-label={words.title}>
          {data.map((product) => (
            <li key={product.id} class="product-row">
              <ProductMark mark={product.mark} name={product.name} />
              <div class="product-words">
                <h2>
                  <Link href={addressOf(product.id)}>{product.name}</Link>
                </h2>
                <p class="muted agent-facts">
                  <span>{words.actorsOf(product.actors, product.maxActors)}</span>
                  <span title={words.allCalls(product.calls.last400Days)}>
                    {words.calls(product.calls.last30Days)}
                  </span>
                  <LastUse words={words} at={product.lastUsedAt} />
                </p>
              </div>
              <ProductLamp product={product} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}
