// Computes the figures of a time and compares it with the time before.
import type { Calls } from '../../api/usage.ts';

export const sumOf = ({ ok, failed, refused }: Calls): number => ok + failed + refused;

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const rough = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

export const partOf = (calls: number, all: number): string => percent.format(all === 0 ? 0 : calls / all);

/** How much more or less there is than before. Null when there was nothing before. */
export function changeOf(now: number, before: number): { isMore: boolean; part: string } | null {
  if (before === 0) return null;
  return { isMore: now > before, part: rough.format(Math.abs(now - before) / before) };
}
