// Writes the comparison as Markdown: a column per peer with its medians and the ratio to ours.
import { median } from '../median.ts';
import type { Peer } from './peer.ts';
import type { Line } from './rounds.ts';

export function markdown(peers: readonly Peer[], lines: readonly Line[]): string {
  const header = peers.map(({ name, version }) => `${name} ${version}`);
  return [
    cells(['', ...header]),
    cells(['---', ...peers.map(() => '---')]),
    ...lines.map((line) => cells([line.what, ...line.cells.map((_, index) => cell(line, index))])),
  ].join('\n');
}

/**
 * Returns the median of the ratios per round. Above 1 ours is better; null means that there is nothing to
 * compare.
 */
export function ratioTo({ more, cells }: Line, index: number): number | null {
  const [ours, theirs] = [cells[0], cells[index]];
  if (typeof ours !== 'object' || typeof theirs !== 'object') return null;
  return median(
    theirs.flatMap((their, round) => {
      const our = ours[round];
      if (our === undefined) return [];
      return more ? our / their : their / our;
    }),
  );
}

export function times(ratio: number): string {
  return `${ratio < 10 ? ratio.toFixed(2) : Math.round(ratio).toLocaleString('en')} ×`;
}

function cell(line: Line, index: number): string {
  const figures = line.cells[index] ?? '';
  if (typeof figures === 'string') return figures;
  const ratio = ratioTo(line, index);
  const middle = median(figures);
  const shown = middle < 10 ? middle.toFixed(1) : Math.round(middle).toLocaleString('en');
  const compared = index === 0 || ratio === null ? '' : ` (${times(ratio)})`;
  return `${shown} ${line.unit}${compared}`;
}

const cells = (texts: readonly string[]): string =>
  `| ${texts.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
