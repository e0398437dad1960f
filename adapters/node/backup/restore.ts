// npm run restore -- <file>: brings back what npm run backup wrote, into a folder without a gateway. docs/operating.md
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readNodeConfig } from '../secret-files.ts';
import { STREAM, unpack } from './archive.ts';
import { takeContents } from './contents.ts';
import { findPlaces } from './places.ts';
import { BLOBS, BROWSERS, DATABASE, type Places, readStaged, SECRETS } from './stage.ts';

const USAGE = `usage: npm run restore -- <file>

Brings back a backup of npm run backup; - reads it from the standard input. It needs the environment of the gateway,
which must not run, and writes only where no gateway has been: an empty or missing DATA_DIR.`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) return console.log(USAGE);
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new Error(USAGE);
  const file = name === STREAM ? STREAM : resolve(name);
  if (file !== STREAM && !existsSync(file)) throw new Error(`${file} does not exist.`);
  // The secrets may be in the backup, and this command needs none of them.
  const places = findPlaces(readNodeConfig(process.env, () => ''));
  refuseUsed(places);

  process.umask(0o077);
  await mkdir(places.dataDir, { recursive: true });
  const folder = await mkdtemp(join(places.dataDir, '.restore-'));
  try {
    await unpack(file, folder);
    await takeContents(folder);
    const { madeAt, secrets } = await readStaged(folder);
    await putInPlace(folder, places);
    console.log(`Restored the backup of ${madeAt} into ${resolve(places.dataDir)}.`);
    console.log(
      secrets.length === 0
        ? 'It has no secrets: set ENCRYPTION_KEY, SESSION_SECRET and AUDIT_SIGNING_KEY to those of the gateway that was backed up, or copy their files from its DATA_DIR, then start.'
        : 'Its secrets are in place. Start the gateway.',
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Nothing is ever overwritten: a mistaken folder or file would lose what is there. */
function refuseUsed({ dataDir, database, blobs }: Places): void {
  const used = [
    database,
    `${database}-wal`,
    ...SECRETS.map((name) => join(dataDir, name)),
    ...[blobs, join(dataDir, BROWSERS)].filter(
      (folder) => existsSync(folder) && readdirSync(folder).length > 0,
    ),
  ].find((path) => existsSync(path));
  if (used !== undefined)
    throw new Error(
      `${used} exists already. Stop the gateway and move its data away, or choose another DATA_DIR.`,
    );
}

/** The database comes last: a gateway that starts before does not find half of a backup. */
async function putInPlace(folder: string, { dataDir, database, blobs }: Places): Promise<void> {
  const names = [BLOBS, BROWSERS, ...SECRETS, DATABASE];
  const elsewhere: Record<string, string> = { [BLOBS]: blobs, [DATABASE]: database };
  for (const name of names) {
    const from = join(folder, name);
    if (existsSync(from)) await move(from, elsewhere[name] ?? join(dataDir, name));
  }
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    // The place is on another disk.
    await cp(from, to, { recursive: true });
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
