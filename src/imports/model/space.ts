// Bounds what all imports of an owner take together, because a gateway reads them whole for each person who uses them.
import type { Ports } from '../../ports/ports.ts';
import type { ImportRecord, ImportToolRecord } from '../../ports/records.ts';
import { EVERYONE } from '../../ports/store.ts';

/** Tells whether the import may have these tools beside the owner's other imports. It may always become smaller. */
export type HasSpace = (
  record: Pick<ImportRecord, 'id' | 'owner'>,
  rows: readonly ImportToolRecord[],
) => Promise<boolean>;

export const TOO_LARGE = 'All imports together would be too large. Delete one first';

const PERSON = { tools: 10_000, characters: 16 * 1024 * 1024 };
const ALL = { tools: 20_000, characters: 32 * 1024 * 1024 };

export function createHasSpace({ store }: Pick<Ports, 'store'>): HasSpace {
  return async function hasSpace({ id, owner }, rows) {
    const sizes = await store.imports.sizes(owner);
    const others = sizes.filter(({ import_id }) => import_id !== id);
    const before = sizes.find(({ import_id }) => import_id === id);
    const most = owner === EVERYONE ? ALL : PERSON;
    const characters = weigh(rows);
    return (
      (rows.length <= (before?.tools ?? 0) || sum(others, 'tools') + rows.length <= most.tools) &&
      (characters <= (before?.characters ?? 0) || sum(others, 'characters') + characters <= most.characters)
    );
  };
}

const weigh = (rows: readonly ImportToolRecord[]): number =>
  rows.reduce((total, { definition, found }) => total + (definition?.length ?? 0) + (found?.length ?? 0), 0);

const sum = <K extends string>(sizes: readonly Record<K, number>[], key: K): number =>
  sizes.reduce((total, size) => total + size[key], 0);
