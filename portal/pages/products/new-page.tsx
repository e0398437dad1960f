// Makes a service key for a product, and shows it once.
import { useState } from 'preact/hooks';
import { fetchProducts, type MadeProduct, makeProduct } from '../../api/products.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { navigate } from '../../router/location.ts';
import { Back } from '../../shell/back.tsx';
import { Page } from '../../shell/page.tsx';
import { useResource } from '../../state/use-resource.ts';
import { productsTexts } from '../../texts/products.ts';
import { AdministratorsOnly, isForbidden } from '../people/administrators-only.tsx';
import { addressOf, PRODUCTS } from './addresses.ts';
import { MadeKey } from './made-key.tsx';
import { formOf, NEW_PRODUCT } from './product-draft.ts';
import { ProductFormFields } from './product-form.tsx';
import '../../styles/keys.css';
import '../../styles/products.css';

const words = productsTexts.form;

export function NewProductPage() {
  const products = useResource('products', fetchProducts);
  const [draft, setDraft] = useState(NEW_PRODUCT);
  const [made, setMade] = useState<MadeProduct>();
  if (isForbidden(products.error)) return <AdministratorsOnly title={words.title} />;
  return (
    <Page title={words.title} lead={words.lead} before={<Back href={PRODUCTS} label={productsTexts.title} />}>
      <NotLoaded of={[products]} />
      {made === undefined ? (
        <section class="panel" aria-label={words.title}>
          <ProductFormFields
            draft={draft}
            isNew
            onChange={setDraft}
            onSubmit={async () => {
              setMade(await makeProduct(formOf(draft)));
              products.reload();
            }}
            onCancel={() => navigate(PRODUCTS)}
          />
        </section>
      ) : (
        <MadeKey product={made} once={made} onDone={() => navigate(addressOf(made.id))} />
      )}
    </Page>
  );
}
