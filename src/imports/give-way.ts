// Gives tools of a later import other names where an older one has them: a later import never takes over calls. New tools
// are named so when they are pinned. This is for what was stored before, and for imports of different owners. decision: 042
import type { Integration, Tool } from '../kit/integration.ts';
import type { Digest } from '../ports/digest.ts';
import type { ImportRecord } from '../ports/records.ts';
import { nameBeside } from './pinned/names.ts';

export interface BuiltImport {
  integration: Integration;
  /** The tools that wait for a person: calling one says so. */
  hidden: readonly Tool[];
  /** What the definitions take in memory. */
  characters: number;
}

/** An import with what tells which of two is older. */
export interface AgedImport extends BuiltImport {
  record: Pick<ImportRecord, 'id' | 'created_at'>;
}

export type GiveWay = (imports: readonly AgedImport[]) => AgedImport[];

export function createGiveWay({ digest }: { digest: Pick<Digest, 'sha256'> }): GiveWay {
  function rename(built: AgedImport, taken: ReadonlySet<string>): AgedImport {
    const { hidden, integration, record } = built;
    if (!namesOf(built).some((name) => taken.has(name))) return built;
    const renamed = <Named extends { name: string }>(tool: Named): Named =>
      taken.has(tool.name)
        ? {
            ...tool,
            name: nameBeside(tool.name, `${record.id} ${tool.name}`, (text) => digest.sha256(text)),
          }
        : tool;
    const { imported } = integration;
    return {
      ...built,
      hidden: hidden.map(renamed),
      integration: {
        ...integration,
        tools: integration.tools.map(renamed),
        ...(imported === undefined
          ? {}
          : {
              imported: {
                ...imported,
                unlisted: imported.unlisted?.map(renamed) ?? [],
                forApps: imported.forApps?.map(renamed) ?? [],
              },
            }),
      },
    };
  }

  /** Returns the imports in the order of their age. */
  return function giveWay(imports) {
    const taken = new Set<string>();
    return imports.toSorted(byAge).map((built) => {
      const named = rename(built, taken);
      for (const name of namesOf(named)) taken.add(name);
      return named;
    });
  };
}

export const namesOf = ({ integration, hidden }: BuiltImport): string[] =>
  [...integration.tools, ...hidden].map(({ name }) => name);

const byAge = ({ record: one }: AgedImport, { record: other }: AgedImport): number =>
  one.created_at - other.created_at || (one.id < other.id ? -1 : 1);
