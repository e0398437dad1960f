// Takes a person out of the audit log. Rows keep their hashes, and a signed row says which rows were changed, so that nobody
// can change others in the same way. decision: 039
import { canonicalJson } from '../../json/canonical.ts';
import * as z from 'zod';
import type { Ports } from '../../ports/ports.ts';
import type { AuditKey } from './key.ts';
import { commitmentOf } from './leaf.ts';
import { writeRanges } from './row-index.ts';

/** One row names them all, and one statement changes them. */
export const ERASED_AT_ONCE = 500;

/** Gives a portion of the rows of these people to the pseudonym. Returns whether more are left. */
export type EraseAudit = (userIds: readonly string[], pseudonym: string) => Promise<boolean>;

export const Erasure = z.object({ ids: z.string(), rows: z.int(), key: z.string(), signature: z.string() });
export type Erasure = z.infer<typeof Erasure>;

export const erasureText = (
  pseudonym: string,
  at: number,
  { ids, rows, key }: Omit<Erasure, 'signature'>,
): string => canonicalJson({ v: 1, erased: pseudonym, at, ids, rows, key });

/** Without a key nothing is sealed, and rows may change. */
export function createEraseAudit(
  { clock, digest, store }: Pick<Ports, 'clock' | 'digest' | 'store'>,
  readKey: () => Promise<AuditKey | null>,
): EraseAudit {
  return async function eraseAudit(userIds, pseudonym) {
    const key = await readKey();
    if (key === null) return store.people.pseudonymize(userIds, pseudonym);
    const found = await store.auditSegments.rowsOf(userIds, ERASED_AT_ONCE);
    const rows = found.toSorted((one, other) => one.id - other.id);
    if (rows.length === 0) return false;
    const at = clock.now();
    const erased = { ids: writeRanges(rows.map(({ id }) => id)), rows: rows.length, key: key.id };
    const signature = await key.sign(erasureText(pseudonym, at, erased));
    await store.auditSegments.erase(
      userIds,
      pseudonym,
      rows.map((row) => ({ id: row.id, commitment: commitmentOf(row, digest) })),
      { created_at: at, erasure: canonicalJson({ ...erased, signature } satisfies Erasure) },
    );
    return rows.length === ERASED_AT_ONCE;
  };
}
