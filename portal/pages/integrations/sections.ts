// Which section of the gallery an integration belongs to, and which of them a search leaves.
import type { Integration } from '../../api/types.ts';
import type { WithState } from '../../connect/state.ts';
import type { texts } from '../../texts.ts';

export type SectionKey = keyof typeof texts.integrations.sections;

export const SECTIONS: readonly SectionKey[] = ['attention', 'connected', 'available', 'builtIn', 'waiting'];

export function sectionOf({ authType, configured, connected, health }: WithState): SectionKey {
  if (authType === 'none') return 'builtIn';
  if (health !== 'ok') return 'attention';
  if (connected) return 'connected';
  return configured ? 'available' : 'waiting';
}

export function matching(all: readonly WithState[], query: string, category: string): WithState[] {
  const words = query.toLowerCase().split(/\s+/);
  return all.filter((integration) => {
    const { name, displayName, description, categories } = integration;
    const haystack = [name, displayName, description, ...categories].join(' ').toLowerCase();
    return (
      (category === '' || categories.includes(category)) && words.every((word) => haystack.includes(word))
    );
  });
}

export function categoriesOf(all: readonly Integration[]): string[] {
  return [...new Set(all.flatMap(({ categories }) => categories))].toSorted();
}

/** "built-in" → "Built in". */
export function categoryLabel(category: string): string {
  const words = category.replaceAll('-', ' ');
  return words.length <= 2 ? words.toUpperCase() : words.slice(0, 1).toUpperCase() + words.slice(1);
}
