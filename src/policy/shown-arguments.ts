// Opens the arguments that a person decides about, and finds the kept files in them. reference: Approvals
import type { Seal } from '../crypto/seal.ts';
import { parseHandle } from '../kit/file-handle.ts';
import { quoteLargeIntegers } from '../json/exact.ts';
import { isObject, parseJson } from '../json/json.ts';
import type { ApprovalRecord } from '../ports/policy.ts';
import { placeOfApproval } from './model/approvals.ts';

/** Returns null when the arguments are not kept any more, or when no key opens them. */
export async function openArguments(
  seal: Seal,
  row: ApprovalRecord,
): Promise<Record<string, unknown> | null> {
  const opened = row.sealed === null ? null : await seal.open(row.sealed, placeOfApproval(row));
  const args = opened === null ? null : parseJson(quoteLargeIntegers(opened));
  return isObject(args) ? args : null;
}

/** Finds the handles in a value, each once. Some tools take them without `file:`. */
export function handlesIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') {
    const parsed = parseHandle(value);
    if (parsed !== null) found.add(parsed.handle);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) handlesIn(member, found);
  }
  return found;
}
