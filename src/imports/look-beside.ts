// Looks which names of tools other imports of the same owner have, so that no two tools share one. decision: 042
import type { Registries } from '../kit/registries.ts';
import type { ImportRecord, ImportToolRecord } from '../ports/records.ts';
import type { Beside } from './pin.ts';

export type LookBeside = (
  record: Pick<ImportRecord, 'id' | 'owner'>,
  rows: readonly Pick<ImportToolRecord, 'name'>[],
) => Promise<Beside>;

export function createLookBeside({ registries }: { registries: Pick<Registries, 'of'> }): LookBeside {
  return async function lookBeside({ id, owner }, rows) {
    const registry = await registries.of(owner);
    const known = new Set(rows.map(({ name }) => name));
    return {
      known,
      isTaken(name) {
        const found = registry.tool(name);
        // A tool that is stored keeps its name. Where an older import has it, the registry shows another one.
        return found !== null && found.integration.imported?.id !== id && !known.has(name);
      },
    };
  };
}
