// Lists the pages that the palette can go to.
import type { IconName } from '../parts/icon.tsx';
import { navigate } from '../router/location.ts';
import { rulesTexts } from '../texts/rules.ts';
import { texts } from '../texts/texts.ts';
import type { Entry } from './entry.ts';

const { nav } = texts;

const PAGES: readonly [string, string][] = [
  ['/overview', nav.overview],
  ['/integrations', nav.integrations],
  ['/tools', nav.tools],
  ['/approvals', nav.approvals],
  ['/activity', nav.activity],
  ['/agents', nav.agents],
  ['/rules', rulesTexts.title],
  ['/jots', nav.jots],
  ['/clients', nav.clients],
  ['/settings', nav.settings],
];
const ADMINISTRATION: readonly [string, string][] = [
  ['/people', nav.people],
  ['/machines', nav.machines],
  ['/products', nav.products],
  ['/gateway', nav.gateway],
];

const ICONS: Record<string, IconName> = {
  '/overview': 'overview',
  '/integrations': 'integrations',
  '/tools': 'tools',
  '/approvals': 'approvals',
  '/activity': 'activity',
  '/agents': 'agents',
  '/rules': 'lock',
  '/jots': 'jots',
  '/clients': 'clients',
  '/settings': 'person',
  '/people': 'people',
  '/products': 'globe',
  '/gateway': 'gateway',
};

export function listPages(isAdministrator: boolean): Entry[] {
  return [...PAGES, ...(isAdministrator ? ADMINISTRATION : [])].map(([path, label]) => ({
    id: `page ${path}`,
    group: 'pages',
    icon: ICONS[path] ?? 'run',
    label,
    run: () => navigate(path),
  }));
}
