// Shows whether the service key of a product works.
import type { Product } from '../../api/products.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { productsTexts } from '../../texts/products.ts';

const words = productsTexts.states;

export function ProductLamp({ product: { revoked } }: { product: Product }) {
  return <Lamp colour={revoked ? 'red' : 'green'}>{revoked ? words.revoked : words.active}</Lamp>;
}
