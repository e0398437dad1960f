// What people call an integration; its short name where it is not known, or gone.
import type { Integration } from '../api/types.ts';

export function displayNameOf(name: string, integrations: readonly Integration[] | undefined): string {
  return integrations?.find((each) => each.name === name)?.displayName ?? name;
}
