// Tests how administrators make a product's service key, and see its actors.
import { describePortal } from './describe-portal.ts';
import { itShowsProducts } from './sections/products.ts';

describePortal('Products in the portal', itShowsProducts);
