// Declares what a call with a key leaves, and writes and reads what is kept of it. decision: 053
import { parseExactIntegers } from '../../json/exact-integers.ts';
import { isObject } from '../../json/json.ts';
import { writeWithin } from '../results/json-pieces.ts';
import { KEPT_RESULT_BYTES } from './limits.ts';

/** What a repeat of the call is told. */
export type Kept =
  /** The whole result, before anything was selected from it. */
  | { kind: 'result'; result: unknown }
  /** The provider or the tool refused it. */
  | { kind: 'failure'; message: string; cure?: string };

export type Left =
  | Kept
  /** It certainly did not run. */
  | { kind: 'nothing' }
  /** It may have taken effect. */
  | { kind: 'doubt' };

/** Returns null for what is too long to be kept, and for what JSON cannot say. */
export function writeKept(kept: Kept): string | null {
  try {
    return writeWithin(kept, KEPT_RESULT_BYTES);
  } catch {
    return null;
  }
}

/** Returns null for what this version cannot read. */
export function readKept(text: string): Kept | null {
  const kept = parseExactIntegers(text);
  if (!isObject(kept)) return null;
  const { kind, result, message, cure } = kept;
  if (kind === 'result') return { kind, result: result ?? null };
  if (kind !== 'failure' || typeof message !== 'string') return null;
  return { kind, message, ...(typeof cure === 'string' ? { cure } : {}) };
}
