// Links back to the list of tools on phones, where the tool replaces the list.
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
