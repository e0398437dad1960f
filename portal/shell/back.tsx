// Renders the link above a page that leads to the page where it belongs.
import { Icon } from '../parts/icon.tsx';
import { Link } from '../router/link.tsx';

export function Back({ href, label }: { href: string; label: string }) {
  return (
    <Link href={href} class="back">
      <Icon name="back" />
      {label}
    </Link>
  );
}
