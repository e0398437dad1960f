// Sorts integrations into the sections of the gallery, and filters them by search text and category.
import type { CatalogueServer, ImportEntry } from '../../api/imports.ts';
import type { Integration } from '../../api/integrations.ts';
import { hasWay, isBuiltIn, isKnown, needsPerson, waits, type WithState } from '../../connect/state.ts';
import { findMatches } from '../../state/find.ts';
import type { texts } from '../../texts/texts.ts';

export type SectionKey = keyof typeof texts.integrations.sections;

export const SECTIONS: readonly SectionKey[] = ['attention', 'connected', 'available', 'waiting', 'builtIn'];

/** What most newcomers look for comes first. */
const POPULAR = [
  'github',
  'slack',
  'gmail',
  'notion',
  'jira',
  'gcalendar',
  'gdrive',
  'linear',
  'gitlab',
  'figma',
];

export function popularFirst(all: readonly WithState[]): WithState[] {
  const rank = ({ name }: WithState) => (POPULAR.includes(name) ? POPULAR.indexOf(name) : POPULAR.length);
  return all.toSorted((one, other) => rank(one) - rank(other));
}

export function sectionOf(integration: WithState): SectionKey {
  if (isBuiltIn(integration)) return 'builtIn';
  if (needsPerson(integration) || isBlocked(integration)) return 'attention';
  // An added service without a sign-in needs no connection.
  if (isKnown(integration) || integration.authType === 'none') return 'connected';
  // The person uses the connection of the team.
  if (integration.connected && integration.team !== undefined) return 'connected';
  return hasWay(integration) ? 'available' : 'waiting';
}

/** Tells whether calls fail until this person has looked at what changed. */
function isBlocked({ imported }: WithState): boolean {
  return imported?.editable === true && imported.tools.some((tool) => tool.blocked && waits(tool));
}

/** Returns the well-known servers that nobody has added yet. Those with a built-in integration come last. */
export function notYetAdded(
  servers: readonly CatalogueServer[],
  imports: readonly ImportEntry[],
): CatalogueServer[] {
  const added = new Set(imports.map(({ address }) => address));
  return servers
    .filter(({ address }) => !added.has(address))
    .toSorted((one, other) => Number(one.builtIn !== undefined) - Number(other.builtIn !== undefined));
}

type Searchable = Pick<Integration, 'name' | 'displayName' | 'description' | 'categories'>;

/** The categories of the gallery, and the names under which integrations and servers declare them. */
const GROUPS: Record<string, readonly string[]> = {
  code: ['code', 'ci'],
  planning: ['planning', 'issues'],
  docs: ['docs'],
  messaging: ['messaging', 'community'],
  office: ['files', 'calendar'],
  monitoring: ['observability', 'incidents', 'security'],
  data: ['data', 'analytics', 'search'],
  design: ['design'],
  hosting: ['hosting', 'automation'],
  business: ['payments', 'sales'],
  'built-in': ['built-in', 'news'],
};

/** An undeclared category is a group of its own. */
export function groupOf(category: string): string {
  return Object.keys(GROUPS).find((group) => GROUPS[group]?.includes(category)) ?? category;
}

export function filterIntegrations<T extends Searchable>(
  all: readonly T[],
  query: string,
  category: string,
): T[] {
  const inCategory = all.filter(
    ({ categories }) => category === '' || categories.map(groupOf).includes(groupOf(category)),
  );
  return findMatches(inCategory, query, ({ name, displayName, description, categories }) =>
    [name, displayName, description, ...categories].join(' '),
  );
}

/** The groups that have a member, in the order of the gallery. */
export function categoriesOf(all: readonly Integration[]): string[] {
  const order = Object.keys(GROUPS);
  const groups = [...new Set(all.flatMap(({ categories }) => categories.map(groupOf)))];
  return groups.toSorted((one, other) => rankIn(order, one) - rankIn(order, other));
}

function rankIn(order: readonly string[], group: string): number {
  return order.includes(group) ? order.indexOf(group) : order.length;
}

/** Turns "built-in" into "Built in". */
export function categoryLabel(category: string): string {
  const words = category.replaceAll('-', ' ');
  return words.length <= 2 ? words.toUpperCase() : words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Keeps what the person has connected, also what needs attention. Built-in integrations need no connection. */
export function connectedOnly(all: readonly WithState[]): WithState[] {
  return all.filter((each) => ['attention', 'connected'].includes(sectionOf(each)));
}
