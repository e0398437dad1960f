// Prints one figure per line and records the figures that miss their requirement.
const missed: string[] = [];

export function figure(what: string, value: string | number, holds = true): void {
  if (!holds) missed.push(what);
  console.log(`${holds ? 'holds ' : 'MISSED'}  ${what}: ${value}`);
}

export const leftOut = (what: string, why: string): void => console.log(`LEFT OUT  ${what}: ${why}`);

export const missedFigures = (): readonly string[] => missed;

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN);
}
