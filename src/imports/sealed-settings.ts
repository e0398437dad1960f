// Reads the sealed settings of imports. decision: 024
import { pagesOf, type SealedRow } from '../kit/sealed-row.ts';
import type { Ports } from '../ports/ports.ts';
import type { ImportRecord } from '../ports/records.ts';
import type { Store } from '../ports/store.ts';
import { placeOfImport } from './model/settings-place.ts';

export const sealedSettings = ({ store: { imports } }: Pick<Ports, 'store'>) =>
  pagesOf<ImportRecord>(
    (after, limit) => imports.page(after?.id ?? null, limit),
    (record) => importRow(imports, record),
  );

function importRow(imports: Store['imports'], { id, owner, name, settings: seen }: ImportRecord): SealedRow {
  return {
    values: [{ text: seen, place: placeOfImport(id), name: [owner, name, 'import'] }],
    lease: null,
    swap: async ([next]) => typeof next === 'string' && imports.swapSettings(id, seen, next),
    async again() {
      const now = await imports.get(owner, name);
      return now?.id === id ? importRow(imports, now) : null;
    },
  };
}
