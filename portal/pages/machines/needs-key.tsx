// Says that a machine needs a named key, and leads to where one is made.
import { Link } from '../../router/link.tsx';
import { machinesTexts } from '../../texts/machines.ts';

export function NeedsKey() {
  return (
    <section class="panel">
      <p>{machinesTexts.noKeys}</p>
      <p class="machine-needs">
        <Link href="/agents?show=keys&new=key" class="button button-primary">
          {machinesTexts.makeKey}
        </Link>
      </p>
    </section>
  );
}
