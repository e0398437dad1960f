// npm run test:hard: runs load and faults against real processes and prints one figure per line, in at most
// 15 minutes. The long parts run where they are named.
import { diskRuns } from './disk.ts';
import { faultRuns } from './faults.ts';
import { leftOut, missedFigures } from './figures.ts';
import { floodRuns } from './floods.ts';
import { gigabyteRuns } from './gigabytes.ts';
import { grownRuns } from './grown.ts';
import { killRuns } from './kills.ts';
import { chosenParts } from './options.ts';
import { smallCallRuns } from './small-calls.ts';
import { personRuns } from './persons.ts';
import { replicaRuns } from './replica-kills.ts';
import { rollingRuns } from './rolling.ts';
import { soakRuns } from './soak.ts';
import { stopRuns } from './stops.ts';
import { strangerRuns } from './strangers.ts';
import { sweepRuns } from './sweep.ts';

const LIMIT_MS = 15 * 60_000;

const parts: Record<string, () => Promise<void>> = {
  faults: faultRuns,
  kills: killRuns,
  stops: stopRuns,
  persons: personRuns,
  sweep: sweepRuns,
  disk: diskRuns,
  gigabytes: gigabyteRuns,
  'small-calls': smallCallRuns,
  floods: floodRuns,
  grown: grownRuns,
  strangers: strangerRuns,
};
/** Proofs for operators, which take as long as their options say. */
const longParts: Record<string, () => Promise<void>> = {
  replicas: replicaRuns,
  rolling: rollingRuns,
  soak: soakRuns,
};

const late = setTimeout(() => {
  console.log('MISSED  the whole suite: not finished after 15 minutes');
  process.exit(1);
}, LIMIT_MS);

for (const [name, run] of Object.entries(parts)) {
  if (chosenParts.length > 0 && !chosenParts.includes(name)) leftOut(name, 'not selected');
  else await run();
}
clearTimeout(late);
for (const [name, run] of Object.entries(longParts)) {
  if (chosenParts.includes(name)) await run();
  else leftOut(name, 'not selected');
}
process.exitCode = missedFigures().length === 0 ? 0 : 1;
