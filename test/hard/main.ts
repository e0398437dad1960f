// npm run test:hard: runs load and faults against real processes and prints one figure per line, in at most
// 15 minutes.
import { diskRuns } from './disk.ts';
import { faultRuns } from './faults.ts';
import { leftOut, missedFigures } from './figures.ts';
import { floodRuns } from './floods.ts';
import { gigabyteRuns } from './gigabytes.ts';
import { grownRuns } from './grown.ts';
import { killRuns } from './kills.ts';
import { smallCallRuns } from './small-calls.ts';
import { personRuns } from './persons.ts';
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
const chosen = process.argv.slice(2);

const late = setTimeout(() => {
  console.log('MISSED  the whole suite: not finished after 15 minutes');
  process.exit(1);
}, LIMIT_MS);

for (const [name, run] of Object.entries(parts)) {
  if (chosen.length > 0 && !chosen.includes(name)) leftOut(name, 'not selected');
  else await run();
}
clearTimeout(late);
process.exitCode = missedFigures().length === 0 ? 0 : 1;
