// Returns the names of integrations as people know them.
import { fetchIntegrations } from '../../api/integrations.ts';
import { useResource } from '../../state/use-resource.ts';

export function useNameOf(): (integration: string) => string {
  const { data = [] } = useResource('integrations', fetchIntegrations);
  const names = new Map(data.map(({ name, displayName }) => [name, displayName]));
  return (integration) => names.get(integration) ?? integration;
}
