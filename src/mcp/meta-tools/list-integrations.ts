// Implements list_integrations: exactly three keys for each integration. reference: Meta-tools
import { type MetaTool, tool } from '../../kit/integration.ts';
import type { MetaNeeds } from './context.ts';

export function listIntegrations({
  visibility,
  connected,
}: Pick<MetaNeeds, 'visibility' | 'connected'>): MetaTool {
  return tool(
    'list_integrations',
    'List every integration, and whether the person has connected it. To find a tool, use search_tools instead. When a tool answers NOT_CONNECTED, call connect.',
    () => ({}),
    async (_args, caller) => {
      const { integrations } = await visibility.of(caller);
      const live = await connected.all(caller.userId, integrations);
      return {
        integrations: integrations.map(({ name, version }) => ({
          name,
          version,
          connected: live.has(name),
        })),
      };
    },
  );
}
