// The way between pages: a column beside the page, or tabs below it on phones. The same links either way.
import type { IconName } from '../parts/icon.tsx';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../router/link.tsx';
import { useLocation } from '../router/location.ts';
import { texts } from '../texts.ts';

interface Item {
  href: string;
  icon: IconName;
  label: string;
  short: string;
  /** Pages below it in the house. */
  under?: string;
}

const { nav } = texts;
const ITEMS: readonly Item[] = [
  {
    href: '/',
    icon: 'integrations',
    label: nav.integrations,
    short: nav.integrations,
    under: '/integrations/',
  },
  { href: '/tools', icon: 'tools', label: nav.tools, short: nav.tools },
  { href: '/activity', icon: 'activity', label: nav.activity, short: nav.activity },
  { href: '/agents', icon: 'agents', label: nav.agents, short: nav.agents },
  { href: '/clients', icon: 'clients', label: nav.clients, short: nav.clientsShort },
];

export function Navigation() {
  const { path } = useLocation();
  return (
    <nav class="nav" aria-label={nav.main}>
      <ul>
        {ITEMS.map(({ href, icon, label, short, under }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={
                path === href || (under !== undefined && path.startsWith(under)) ? 'page' : undefined
              }
            >
              <Icon name={icon} />
              <span class="nav-long">{label}</span>
              <span class="nav-short">{short}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
