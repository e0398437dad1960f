// Starts servers that make a row durable per answer, and checks that no row is missing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { COUNTS_PATH, type Counts, DATABASE, type Durability } from './durable-rows.ts';
import { type Running, startScript } from './servers.ts';

const CHECK_MS = 10_000;
const PAUSE_MS = 50;

export interface DurablePeer extends Running {
  counts(): Promise<Counts>;
  /** The rows that another process finds in the database. */
  countRows(): number;
  /** Throws when the rows are not as many as the answers. */
  check(): Promise<void>;
}

/** The last two arguments of the script are the folder of its database and when it answers. */
export async function startDurable(
  script: string,
  args: (port: number) => string[],
  durability: Durability,
): Promise<DurablePeer> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rows-'));
  const running = await startScript(script, (port) => [...args(port), folder, durability]);

  async function counts(): Promise<Counts> {
    return (await fetch(`${running.url}${COUNTS_PATH}`)).json();
  }

  function countRows(): number {
    const database = new DatabaseSync(join(folder, DATABASE), { readOnly: true });
    const found = database.prepare('select count(*) as rows from audit').get();
    database.close();
    return Number(found?.['rows']);
  }

  return {
    ...running,
    counts,
    countRows,
    async check() {
      const end = performance.now() + CHECK_MS;
      for (;;) {
        // The load may leave requests behind that are still being answered.
        const [{ answers }, rows] = [await counts(), countRows()];
        if (answers > 0 && answers === rows) return;
        if (performance.now() > end) throw new Error(`${script}: ${rows} rows for ${answers} answers`);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    },
    async stop() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const startDurableBare = (bytesFile: string): Promise<DurablePeer> =>
  startDurable('test/bench/bare.ts', (port) => [bytesFile, String(port)], 'waiting');
