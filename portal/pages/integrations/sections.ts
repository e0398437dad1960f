// Sorts integrations into the sections of the gallery, and filters them by search text and category.
import type { Integration } from '../../api/types.ts';
import { hasWay, isKnown, needsPerson, type WithState } from '../../connect/state.ts';
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
  if (integration.authType === 'none') return 'builtIn';
  if (needsPerson(integration)) return 'attention';
  if (isKnown(integration)) return 'connected';
  return hasWay(integration) ? 'available' : 'waiting';
}

export function filterIntegrations(all: readonly WithState[], query: string, category: string): WithState[] {
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
