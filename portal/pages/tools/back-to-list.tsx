// On phones, where a tool stands in the place of the list: the way back to it.
import { Icon } from '../../parts/icon.tsx';
import { Link } from '../../router/link.tsx';
import { texts } from '../../texts/texts.ts';

export function BackToList() {
  return (
    <Link href="/tools" class="back explorer-back">
      <Icon name="back" />
      {texts.tools.backToList}
    </Link>
  );
}
