// Implements list_integrations: exactly three keys for each integration. reference: Meta-tools
import { type MetaTool, tool } from '../../kit/integration.ts';
import type { MetaNeeds } from './context.ts';

export function listIntegrations({
  registries,
  connected,
}: Pick<MetaNeeds, 'registries' | 'connected'>): MetaTool {
  return tool(
    'list_integrations',
    'List every integration with its version and whether the person has connected it. To find a tool, use search_tools instead. A tool of an integration that is not connected answers NOT_CONNECTED: call connect first.',
    () => ({}),
    async (_args, { userId }) => {
      const registry = await registries.of(userId);
      const live = await connected.all(userId, registry.integrations);
      return {
        integrations: registry.integrations.map(({ name, version }) => ({
          name,
          version,
          connected: live.has(name),
        })),
      };
    },
  );
}
