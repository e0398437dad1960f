// Computes the figures of a time and compares it with the time before.
import type { Calls } from '../../api/usage.ts';

export const sumOf = ({ ok, failed, refused }: Calls): number => ok + failed + refused;

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const rough = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

export const partOf = (calls: number, all: number): string => percent.format(all === 0 ? 0 : calls / all);

/** A larger part says less than the number before. */
const MAX_PART = 9.99;

/** How much more or less there is than before. Null when there was nothing before. */
export function changeOf(
  now: number,
  before: number,
): { isMore: boolean; part: string; isHuge: boolean } | null {
  if (before === 0) return null;
  const part = Math.abs(now - before) / before;
  return { isMore: now > before, part: rough.format(part), isHuge: part > MAX_PART };
}
