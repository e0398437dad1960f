// Names the usual way to connect an integration.
import { isBuiltIn, usualWay, type WithState } from '../../connect/state.ts';
import { texts } from '../../texts/texts.ts';

export function wayOf(integration: WithState): string {
  const way = usualWay(integration);
  // The page of an import calls it so where it says how people connect.
  if (integration.imported?.auth.type === 'headers') return texts.ways.token;
  return texts.ways[way === 'none' && !isBuiltIn(integration) ? 'open' : way];
}
