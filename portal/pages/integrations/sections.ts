// Which section of the gallery an integration belongs to, and which of them a search leaves.
import type { Connection, Health, Integration } from '../../api/types.ts';
import type { texts } from '../../texts.ts';

export interface WithState extends Integration {
  connected: boolean;
  health: Health;
}

export type SectionKey = keyof typeof texts.integrations.sections;

export const SECTIONS: readonly SectionKey[] = ['attention', 'connected', 'available', 'builtIn', 'waiting'];

export function withState(
  integrations: readonly Integration[],
  connections: readonly Connection[],
): WithState[] {
  const byName = new Map(connections.map((connection) => [connection.name, connection]));
  return integrations.map((integration) => {
    const connection = byName.get(integration.name);
    return {
      ...integration,
      connected: connection?.connected ?? false,
      health: connection?.health ?? 'ok',
    };
  });
}

export function sectionOf({ authType, configured, connected, health }: WithState): SectionKey {
  if (authType === 'none') return 'builtIn';
  if (health !== 'ok') return 'attention';
  if (connected) return 'connected';
  return configured ? 'available' : 'waiting';
}

export function isUsable({ connected, health }: WithState): boolean {
  return connected && health !== 'needs_reconnect';
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
