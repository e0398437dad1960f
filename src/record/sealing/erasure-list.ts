// The signed erasures of the audit log, so that a verifier can tell them from changes by hand. decision: 039
import type { AuditSegments } from '../../ports/audit-segments.ts';
import { type Erasure, Erasure as ErasureShape, ERASED_AT_ONCE, erasureText } from './erasure.ts';
import { BEFORE_ALL_ROWS } from './head.ts';
import type { PublicAuditKey } from './key.ts';
import type { Problem } from './problems.ts';
import { readRanges } from './row-index.ts';

const READ_AT_ONCE = 200;

export interface ErasureList {
  /** Reads the erasures that joined since the last read. */
  read(): Promise<Problem[]>;
  has(pseudonym: string, id: number): boolean;
}

export function createErasureList(
  segments: Pick<AuditSegments, 'erasures'>,
  keys: ReadonlyMap<string, PublicAuditKey>,
): ErasureList {
  const erased = new Map<string, Set<number>>();
  let last = BEFORE_ALL_ROWS;

  return {
    has: (pseudonym, id) => erased.get(pseudonym)?.has(id) === true,
    async read() {
      const problems: Problem[] = [];
      for (;;) {
        const rows = await segments.erasures(last, READ_AT_ONCE);
        for (const row of rows) {
          const ids = await readErasure(row, keys);
          const all = erased.get(row.user_id) ?? new Set();
          for (const id of ids ?? []) all.add(id);
          erased.set(row.user_id, all);
          if (ids === null)
            problems.push({
              kind: 'erasure',
              segment: null,
              ids: `${row.id}`,
              text: `row ${row.id} claims an erasure that no given key has signed`,
            });
        }
        last = rows.at(-1)?.id ?? last;
        if (rows.length < READ_AT_ONCE) return problems;
      }
    },
  };
}

async function readErasure(
  { user_id, created_at, erasure }: { user_id: string; created_at: number; erasure: string },
  keys: ReadonlyMap<string, PublicAuditKey>,
): Promise<number[] | null> {
  const parsed = parse(erasure);
  if (parsed === null) return null;
  const { signature, ...signed } = parsed;
  const isSigned = await keys.get(signed.key)?.verify(erasureText(user_id, created_at, signed), signature);
  return isSigned === true ? readRanges(signed.ids, ERASED_AT_ONCE) : null;
}

function parse(text: string): Erasure | null {
  try {
    return ErasureShape.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
