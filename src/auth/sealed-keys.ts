// Reads the sealed API keys of people. decision: 024
import { pagesOf, type SealedRow } from '../kit/sealed-row.ts';
import type { Ports } from '../ports/ports.ts';
import type { Store } from '../ports/store.ts';
import { placeOfKey } from './api-keys.ts';

export const sealedKeys = ({ store: { users } }: Pick<Ports, 'store'>) =>
  pagesOf<{ id: string; api_key_ciphertext: string }>(
    (after, limit) => users.pageOfSealedKeys(after?.id ?? null, limit),
    ({ id, api_key_ciphertext }) => keyRow(users, id, api_key_ciphertext),
  );

function keyRow(users: Store['users'], id: string, seen: string): SealedRow {
  return {
    values: [{ text: seen, place: placeOfKey(id) }],
    lease: null,
    swap: async ([next]) => typeof next === 'string' && users.swapSealedKey(id, seen, next),
    async again() {
      const now = (await users.byId(id))?.api_key_ciphertext ?? null;
      return now === null ? null : keyRow(users, id, now);
    },
  };
}
