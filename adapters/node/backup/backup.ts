// npm run backup -- <file>: writes everything an embedded gateway keeps into one file, while the gateway serves.
// docs/operating.md
import { existsSync } from 'node:fs';
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readExistingConfig } from '../existing-gateway.ts';
import { pack, STREAM } from './archive.ts';
import { noteBackup } from './last-backup.ts';
import { findPlaces } from './places.ts';
import { type BackupDescription, stage } from './stage.ts';

const USAGE = `usage: npm run backup -- <file> [--with-secrets]

Writes the database, the blobs and the browser profiles of this gateway into one file, such as gateway.tar.gz. The
gateway may run. The file must not exist yet; - writes to the standard output, as in
npm run --silent backup -- - > gateway.tar.gz. npm run restore brings everything back.

  --with-secrets  also writes the secrets that the gateway made. Anyone with the file can then open every credential.
                  Without it, keep ENCRYPTION_KEY, SESSION_SECRET and AUDIT_SIGNING_KEY yourself, apart from the file.`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'with-secrets': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return console.log(USAGE);
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new Error(USAGE);
  const file = requireTarget(name);
  const places = findPlaces(readExistingConfig(process.env));
  // Only the owner may read what is written here.
  process.umask(0o077);
  const folder = await mkdtemp(join(file === null ? places.dataDir : dirname(file), '.backup-'));
  try {
    const description = await stage(places, folder, values['with-secrets']);
    if (file === null) await pack(folder, STREAM);
    else await packWhole(folder, file);
    await noteBackup(places.dataDir, file).catch((error: unknown) =>
      console.error('The backup is whole, and its note for the gateway is not:', error),
    );
    const write = file === null ? console.error : console.log;
    write(summary(file, description));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the path of the new file, or null for the standard output. */
function requireTarget(name: string): string | null {
  if (name === STREAM) {
    if (process.stdout.isTTY) throw new Error('Send the backup into a file: - > gateway.tar.gz');
    return null;
  }
  const file = resolve(name);
  if (existsSync(file)) throw new Error(`${file} exists already. Choose another name.`);
  if (!existsSync(dirname(file))) throw new Error(`The folder ${dirname(file)} does not exist.`);
  return file;
}

/** The file appears under its name when it is complete. */
async function packWhole(folder: string, file: string): Promise<void> {
  const packed = `${folder}.tar.gz`;
  try {
    await pack(folder, packed);
    await syncFile(packed);
    await rename(packed, file);
  } finally {
    await rm(packed, { force: true });
  }
}

async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r');
  await file.sync();
}

function summary(file: string | null, { database, blobs, browsers, secrets }: BackupDescription): string {
  const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `Wrote ${file ?? 'the backup'}
  database          ${megabytes(database.bytes)}
  blobs             ${blobs.files} files, ${megabytes(blobs.bytes)}
  browser profiles  ${browsers.files} files, ${megabytes(browsers.bytes)}
  secrets           ${secrets.length === 0 ? 'none: keep ENCRYPTION_KEY, SESSION_SECRET and AUDIT_SIGNING_KEY yourself' : secrets.join(', ')}`;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
