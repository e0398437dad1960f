// Links to the pages: a column beside the page, or tabs below it on phones.
import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icon.tsx';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../router/link.tsx';
import { useLocation } from '../router/location.ts';
import { useFirst } from '../state/first-page.ts';
import { useIsAdministrator } from '../state/use-myself.ts';
import { texts } from '../texts/texts.ts';
import { Attention, WaitingBadge } from './attention.tsx';

interface Item {
  href: string;
  icon: IconName;
  label: string;
  /** The paths of the pages that belong to this item. */
  under?: string | readonly string[];
  badge?: ComponentType;
}

const { nav } = texts;
const ITEMS: readonly Item[] = [
  { href: '/overview', icon: 'overview', label: nav.overview },
  {
    href: '/integrations',
    icon: 'integrations',
    label: nav.integrations,
    under: '/integrations/',
    badge: Attention,
  },
  { href: '/tools', icon: 'tools', label: nav.tools },
  {
    href: '/approvals',
    icon: 'approvals',
    label: nav.approvals,
    under: '/approvals/',
    badge: WaitingBadge,
  },
  { href: '/activity', icon: 'activity', label: nav.activity },
  {
    href: '/agents',
    icon: 'agents',
    label: nav.agents,
    under: ['/agents/', '/rules', '/sets', '/scripts', '/events'],
  },
  { href: '/jots', icon: 'jots', label: nav.jots, under: '/jots/' },
];

const ADMINISTRATION: readonly Item[] = [
  { href: '/people', icon: 'people', label: nav.people, under: '/people/' },
  { href: '/machines', icon: 'run', label: nav.machines },
  { href: '/products', icon: 'globe', label: nav.products, under: '/products/' },
  { href: '/gateway', icon: 'gateway', label: nav.gateway },
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

/** Phones have no room for these links among the tabs, so the account menu has them there. */
export function AdministrationLinks({ id }: { id: string }) {
  if (!useIsAdministrator()) return null;
  return (
    <nav class="nav-administration" aria-labelledby={id}>
      <p id={id} class="nav-title">
        {nav.administration}
      </p>
      <ul>
        {ADMINISTRATION.map((item) => (
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

export function NavLink({ href, icon, label, under, badge: Badge }: Item) {
  const { path: now } = useLocation();
  const first = useFirst();
  const shown = now === '/' && first !== undefined ? first : now;
  const here = shown === href || [under ?? []].flat().some((path) => shown.startsWith(path));
  return (
    <Link href={href} aria-current={here ? 'page' : undefined}>
      <Icon name={icon} />
      {label}
      {Badge && <Badge />}
    </Link>
  );
}
