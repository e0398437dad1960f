// Sorts integrations into the sections of the gallery, and filters them by search text and category.
import type { CatalogueServer, ImportEntry } from '../../api/import-types.ts';
import type { Integration } from '../../api/types.ts';
import { hasWay, isBuiltIn, isKnown, needsPerson, waits, type WithState } from '../../connect/state.ts';
import { hasWords } from '../../state/use-search.ts';
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

export function filterIntegrations<T extends Searchable>(
  all: readonly T[],
  query: string,
  category: string,
): T[] {
  return all.filter(
    ({ name, displayName, description, categories }) =>
      (category === '' || categories.includes(category)) &&
      hasWords([name, displayName, description, ...categories].join(' '), query),
  );
}

export function categoriesOf(all: readonly Integration[]): string[] {
  return [...new Set(all.flatMap(({ categories }) => categories))].toSorted();
}

/** Turns "built-in" into "Built in". */
export function categoryLabel(category: string): string {
  const words = category.replaceAll('-', ' ');
  return words.length <= 2 ? words.toUpperCase() : words.slice(0, 1).toUpperCase() + words.slice(1);
}
