// Hashes the rows of the audit log. What is personal in a row enters its hash through a salted commitment, so that a
// deletion can take it out. decision: 039
import { canonicalJson } from '../../json/canonical.ts';
import { PERSONAL_COLUMNS, type RawAuditRow } from '../../ports/audit-segments.ts';
import type { Digest } from '../../ports/digest.ts';

const PERSONAL: ReadonlySet<string> = new Set(PERSONAL_COLUMNS);
const KEPT_BESIDE: ReadonlySet<string> = new Set(['id', 'salt', 'commitment']);
/** Keeps a leaf from being taken for a node of the tree. RFC 6962 §2.1 */
const LEAF_PREFIX = '\0';

export interface HashedRow {
  id: number;
  /** The hash of everything but the id. */
  content: string;
  leaf: string;
}

/** Nulls stay out, so a column that joins later changes no hash. */
export function hashRow(row: RawAuditRow, digest: Digest): HashedRow {
  const open = pick(row, (name) => !PERSONAL.has(name) && !KEPT_BESIDE.has(name));
  const content = digest.sha256(canonicalJson([open, commitmentOf(row, digest)]));
  return { id: row.id, content, leaf: digest.sha256(LEAF_PREFIX + canonicalJson([row.id, content])) };
}

/** The salt hides which of a few likely persons or texts it was. */
export function commitmentOf(row: RawAuditRow, digest: Digest): string {
  if (isErased(row)) return String(row['commitment']);
  const personal = pick(row, (name) => PERSONAL.has(name));
  return digest.sha256(canonicalJson([row['salt'] ?? null, personal]));
}

export const isErased = (row: RawAuditRow): boolean => (row['commitment'] ?? null) !== null;

/** Whether an erased row has nothing personal but its pseudonym. The commitment says nothing about what is there. */
export const isCleared = (row: RawAuditRow): boolean =>
  [...PERSONAL, 'salt'].every((name) => name === 'user_id' || (row[name] ?? null) === null);

function pick(row: RawAuditRow, wants: (name: string) => boolean): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of Object.keys(row)) {
    const value = row[name];
    if (value !== null && wants(name)) picked[name] = toPlain(value);
  }
  return picked;
}

/** The gateway writes texts and whole numbers. Anything else was written by hand, and must not stop the sealing. */
function toPlain(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return { other: value instanceof Uint8Array ? [...value] : String(value) };
}
