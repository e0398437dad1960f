// Shows the mark of a product, or its letters.
import { lettersOf } from '../../parts/logo.tsx';

export function ProductMark({ mark, name }: { mark: string | null | undefined; name: string }) {
  return mark === null || mark === undefined ? (
    <span class="logo logo-letter" aria-hidden="true">
      {lettersOf(name)}
    </span>
  ) : (
    <img class="logo" src={mark} alt="" width="40" height="40" />
  );
}
