// Chooses the height of a chart and the lines across it.

const STEPS = [1, 2, 2.5, 5, 10];

/** Returns round values from 0 to at least the highest one. */
export function ticksUpTo(highest: number, lines = 4): number[] {
  if (highest <= 0) return [0, 1];
  const rough = highest / lines;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, (STEPS.find((each) => each * power >= rough) ?? 10) * power);
  const count = Math.ceil(highest / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Chooses at most `most` of the indexes, evenly spread, the last one included. */
export function labelled(length: number, most: number): number[] {
  const step = Math.ceil(length / most);
  return Array.from({ length }, (_, index) => index).filter((index) => (length - 1 - index) % step === 0);
}
