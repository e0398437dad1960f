// Returns an integration's display name, or its short name when the integration is unknown.
import type { Integration } from '../api/integrations.ts';

export function displayNameOf(name: string, integrations: readonly Integration[] | undefined): string {
  return integrations?.find((each) => each.name === name)?.displayName ?? name;
}
