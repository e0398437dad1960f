// npm run bench: measures every target of the design as a ratio in one run, prints the rows, and writes
// test/bench/report.md.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { agentRows } from './agent.ts';
import { coreRows } from './cores.ts';
import { eventRows } from './events.ts';
import { growthRows } from './growth.ts';
import { httpRows } from './http.ts';
import { importRows } from './imports.ts';
import { jotRows } from './jots.ts';
import { liveViewRows } from './live-view.ts';
import { outsideRows } from './outside.ts';
import { peerRows } from './peers/main.ts';
import { portalRows } from './portal.ts';
import { portalPageRows } from './portal-pages.ts';
import { processRows } from './process.ts';
import { proxyRows } from './proxy.ts';
import { refreshRows } from './refresh.ts';
import { scriptRows } from './scripts.ts';
import { searchRows } from './search.ts';
import { toolRows } from './tools.ts';
import { workerRows } from './worker.ts';
import { LOAD_TOOL } from './load.ts';

export interface Row {
  work: string;
  measured: string;
  /** Null for a row that is only a comparison. */
  bar: string | null;
  holds: boolean;
}

const parts = {
  agent: agentRows,
  process: processRows,
  scripts: scriptRows,
  search: searchRows,
  tools: toolRows,
  cores: coreRows,
  events: eventRows,
  http: httpRows,
  imports: importRows,
  outside: outsideRows,
  proxy: proxyRows,
  jots: jotRows,
  'live-view': liveViewRows,
  refresh: refreshRows,
  growth: growthRows,
  worker: workerRows,
  portal: portalRows,
  'portal-pages': portalPageRows,
  // Runs only on request, because it needs the npm registry.
  '--peers': peerRows,
};
const chosen = process.argv.slice(2);

const rows: Row[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (chosen.length > 0 ? !chosen.includes(name) : name === '--peers') continue;
  for (const row of await measure().catch((error: unknown) => describeFailure(name, error))) {
    rows.push(row);
    console.log(lineOf(row));
  }
}

const table = [
  '| Work | Measured | Bar | |',
  '|---|---|---|---|',
  ...rows.map(
    ({ work, measured, bar, holds }) =>
      `| ${work} | ${measured} | ${bar ?? ''} | ${bar === null ? '' : holds ? 'holds' : 'missed'} |`,
  ),
].join('\n');
const made = `Made by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, load by ${LOAD_TOOL}. Ratios and medians of alternating rounds in one run; absolute numbers change with the machine.`;
if (chosen.length === 0)
  writeFileSync(join(import.meta.dirname, 'report.md'), `# Bench\n\n${made}\n\n${table}\n`);

/** A part that fails does not lose what the others have measured. */
function describeFailure(part: string, error: unknown): Row[] {
  console.error(error);
  process.exitCode = 1;
  return [{ work: part, measured: `not measured: ${String(error)}`, bar: 'measured', holds: false }];
}

function lineOf({ work, measured, bar, holds }: Row): string {
  if (bar === null) return `        ${work}: ${measured}`;
  return `${holds ? 'holds ' : 'MISSED'}  ${work}: ${measured} (bar ${bar})`;
}
