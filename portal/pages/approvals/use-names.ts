// Finds the display names and logos of integrations, and whether an integration is an import.
import { fetchIntegrations } from '../../api/integrations.ts';
import { displayNameOf } from '../../parts/display-name.ts';
import { plainName } from '../../parts/plain-name.ts';
import { useImports } from '../../state/use-imports.ts';
import { useResource } from '../../state/use-resource.ts';

export interface Names {
  nameOf: (integration: string) => string;
  /** Null where the integration has no logo, or is no longer there. */
  logoOf: (integration: string) => string | null;
  /** An unknown integration counts as an import, because nobody has checked its words. */
  isImport: (integration: string) => boolean;
}

export function useNames(): Names {
  const integrations = useResource('integrations', fetchIntegrations).data;
  const imports = useImports().data?.imports;
  const find = (name: string) => integrations?.find((each) => each.name === name);
  return {
    nameOf: (name) => plainName(displayNameOf(name, integrations)),
    logoOf: (name) => find(name)?.logo ?? null,
    isImport: (name) =>
      imports === undefined || find(name) === undefined || imports.some((each) => each.name === name),
  };
}
