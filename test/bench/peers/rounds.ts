// Takes the same measurement of each peer in turn, round after round, so that a machine that slows down slows
// all of them.
import { type Peer, type Running, start } from './peer.ts';

export interface Line {
  what: string;
  unit: string;
  /** Whether a larger value is better. */
  more: boolean;
  /** The measurements of each peer, or the reason why there are none. */
  cells: (readonly number[] | string)[];
}

export interface Stand {
  peer: Peer;
  /** The running peer, or the reason why it does not run. */
  running: Running | string;
}

export type Measure = (running: Running, peer: Peer) => Promise<number | string>;

const ROUNDS = 3;

export const cannot = (why: unknown): string =>
  `cannot: ${why instanceof Error ? why.message : String(why)}`.replaceAll(/\s+/g, ' ').slice(0, 160);

/** Measures every peer in each round. With `warm` the first round does not count. */
export async function rounds(
  stands: readonly Stand[],
  line: Omit<Line, 'cells'>,
  measure: Measure,
  { warm = false, count = ROUNDS } = {},
): Promise<Line> {
  const cells: (number[] | string)[] = stands.map(({ running }) =>
    typeof running === 'string' ? running : [],
  );
  for (let round = warm ? -1 : 0; round < count; round++) {
    for (const [index, { peer, running }] of stands.entries()) {
      const cell = cells[index];
      if (typeof cell !== 'object' || typeof running === 'string') continue;
      const figure = await measure(running, peer).catch(cannot);
      if (typeof figure === 'string') cells[index] = figure;
      else if (round >= 0) cell.push(figure);
    }
  }
  console.log(`measured  ${line.what}`);
  return { ...line, cells };
}

/** Starts each peer once per round and leaves it running after the last. */
export async function startRounds(
  peers: readonly Peer[],
  line: Omit<Line, 'cells'>,
): Promise<{ line: Line; stands: Stand[] }> {
  const stands: Stand[] = [];
  for (const peer of peers) stands.push({ peer, running: await prepared(peer) });
  const cells: (number[] | string)[] = stands.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, stand] of stands.entries()) {
      if (typeof stand.running === 'string') cells[index] = stand.running;
      else {
        await stand.running.stop();
        stand.running = await start(stand.peer).catch(cannot);
        const cell = cells[index];
        if (typeof stand.running === 'object' && typeof cell === 'object') cell.push(stand.running.startMs);
      }
    }
  }
  console.log(`measured  ${line.what}`);
  return { line: { ...line, cells }, stands };
}

async function prepared(peer: Peer): Promise<Running | string> {
  const running = await start(peer).catch(cannot);
  if (typeof running === 'string') return running;
  try {
    await peer.prepare?.();
    return running;
  } catch (error) {
    await running.stop();
    return cannot(error);
  }
}

export async function stopAll(stands: readonly Stand[]): Promise<void> {
  for (const { running } of stands) if (typeof running !== 'string') await running.stop();
}
