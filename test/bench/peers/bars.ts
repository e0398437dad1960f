// Compares the results with the design's targets for peers.
import type { Row } from '../main.ts';
import type { Peer } from './peer.ts';
import type { Line } from './rounds.ts';
import { ratioTo, times } from './table.ts';

interface Comparison {
  peers: readonly Peer[];
  line: Line;
}

export function bars(sameListing: Comparison, builtin: Comparison): Row[] {
  return [
    bar(
      'tools/list with an API key, against the official SDK’s stateless server listing the same tools',
      2,
      ratios(sameListing),
    ),
    bar(
      'execute_tools, one built-in tool, audited durably, against the fastest npm peer that can be run',
      10,
      ratios(builtin).filter(({ peer }) => !peer.startsWith('Official SDK')),
    ),
  ];
}

/** Makes a row that holds when the ratio to each peer holds. */
function bar(work: string, atLeast: number, against: { peer: string; ratio: number }[]): Row {
  return {
    work,
    measured: against.map(({ peer, ratio }) => `${times(ratio)} ${peer}`).join(', ') || 'no peer ran',
    bar: `≥ ${atLeast} ×`,
    holds: against.length > 0 && against.every(({ ratio }) => ratio >= atLeast),
  };
}

/** Returns the ratios of ours, which comes first, to each of the others. */
function ratios({ peers, line }: Comparison): { peer: string; ratio: number }[] {
  return peers.flatMap(({ name, version }, index) => {
    const ratio = index === 0 ? null : ratioTo(line, index);
    return ratio === null ? [] : [{ peer: `${name} ${version}`, ratio }];
  });
}
