// Links to the pages: a column beside the page, or tabs below it on phones.
import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icon.tsx';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../router/link.tsx';
import { useLocation } from '../router/location.ts';
import { texts } from '../texts/texts.ts';
import { Attention, WaitingBadge } from './attention.tsx';

interface Item {
  href: string;
  icon: IconName;
  label: string;
  /** The path of the pages that belong to this item. */
  under?: string;
  badge?: ComponentType;
}

const { nav } = texts;
const ITEMS: readonly Item[] = [
  { href: '/', icon: 'integrations', label: nav.integrations, under: '/integrations/', badge: Attention },
  { href: '/tools', icon: 'tools', label: nav.tools },
  {
    href: '/approvals',
    icon: 'approvals',
    label: nav.approvals,
    under: '/approvals/',
    badge: WaitingBadge,
  },
  { href: '/activity', icon: 'activity', label: nav.activity },
  { href: '/agents', icon: 'agents', label: nav.agents, under: '/rules' },
  { href: '/jots', icon: 'jots', label: nav.jots },
];

export function Navigation() {
  return (
    <nav class="nav" aria-label={nav.main}>
      <ul>
        {ITEMS.map((item) => (
          <li key={item.href}>
            <NavLink {...item} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** This link is apart from the pages, because it leads to programs outside the portal. */
export function ClientsLink() {
  return (
    <nav class="nav-clients" aria-label={nav.clients}>
      <NavLink href="/clients" icon="clients" label={nav.clients} />
    </nav>
  );
}

function NavLink({ href, icon, label, under, badge: Badge }: Item) {
  const { path } = useLocation();
  const here = path === href || (under !== undefined && path.startsWith(under));
  return (
    <Link href={href} aria-current={here ? 'page' : undefined}>
      <Icon name={icon} />
      {label}
      {Badge && <Badge />}
    </Link>
  );
}
