// Gathers what a backup contains in one folder, while the gateway serves.
import { constants } from 'node:fs';
import { copyFile, mkdir, opendir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { hashContents, hashFile } from './contents.ts';

export const DATABASE = 'service.db';
export const BLOBS = 'blobs';
export const BROWSERS = 'browsers';
export const SECRETS = ['session-secret', 'encryption-key', 'audit-signing-key'] as const;
const DESCRIPTION = 'backup.json';

/** Where the parts of an embedded gateway are. */
export interface Places {
  dataDir: string;
  database: string;
  blobs: string;
}

const counted = z.object({ files: z.int(), bytes: z.int() });
const Description = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  database: z.object({ bytes: z.int(), sha256: z.string() }),
  blobs: counted,
  browsers: counted,
  secrets: z.array(z.enum(SECRETS)),
  /** The checksum of all other files. Backups of earlier versions have none. */
  contents: z.object({ sha256: z.string() }).optional(),
});
export type BackupDescription = z.infer<typeof Description>;

/**
 * Copies the database first. A blob that is replaced or deleted stays on disk for an hour, so the blobs that the copied
 * rows name are still there.
 */
export async function stage(
  places: Places,
  folder: string,
  withSecrets: boolean,
): Promise<BackupDescription> {
  copyDatabase(places.database, join(folder, DATABASE));
  const database = {
    bytes: (await stat(join(folder, DATABASE))).size,
    sha256: await hashFile(join(folder, DATABASE)),
  };
  const blobs = await copyTree(places.blobs, join(folder, BLOBS));
  const browsers = await copyTree(join(places.dataDir, BROWSERS), join(folder, BROWSERS));
  const secrets = withSecrets ? await copySecrets(places.dataDir, folder) : [];
  const description = {
    format: 1 as const,
    madeAt: new Date().toISOString(),
    database,
    blobs,
    browsers,
    secrets,
    contents: { sha256: await hashContents(folder, DESCRIPTION) },
  };
  await writeFile(join(folder, DESCRIPTION), JSON.stringify(description, null, 2), { mode: 0o600 });
  return description;
}

/** Reads what a backup says of itself, and checks that its files are whole. */
export async function readStaged(folder: string): Promise<BackupDescription> {
  const text = await readFile(join(folder, DESCRIPTION), 'utf8').catch(() => {
    throw new Error(`It is no backup of a gateway: it has no ${DESCRIPTION}.`);
  });
  const parsed = Description.safeParse(JSON.parse(text));
  if (!parsed.success)
    throw new Error('A newer version of the gateway made this backup. Install that version first.');
  const { contents, database } = parsed.data;
  if ((await hashFile(join(folder, DATABASE))) !== database.sha256)
    throw new Error('The database in this backup is damaged: its checksum differs. Use another backup.');
  if (contents !== undefined && (await hashContents(folder, DESCRIPTION)) !== contents.sha256)
    throw new Error('This backup is damaged: the checksum of its files differs. Use another backup.');
  return parsed.data;
}

/** One statement reads the whole database as of one moment, also while it is written. */
function copyDatabase(from: string, to: string): void {
  const database = new DatabaseSync(from, { readOnly: true });
  try {
    database.exec('pragma busy_timeout = 10000');
    database.prepare('vacuum into ?').run(to);
  } finally {
    database.close();
  }
}

async function copyTree(from: string, to: string): Promise<BackupDescription['blobs']> {
  const sum = { files: 0, bytes: 0 };
  await mkdir(to, { recursive: true, mode: 0o700 });
  for await (const { path, name, isFolder } of entriesOf(from)) {
    if (isFolder) {
      const below = await copyTree(path, join(to, name));
      sum.files += below.files;
      sum.bytes += below.bytes;
    } else if (await copyIfThere(path, join(to, name))) {
      sum.files++;
      sum.bytes += (await stat(join(to, name))).size;
    }
  }
  return sum;
}

async function* entriesOf(folder: string) {
  try {
    for await (const entry of await opendir(folder)) {
      // Sockets and locks of a browser belong to its process. Files that are still being written have no name yet.
      const isFolder = entry.isDirectory();
      if (entry.name === '+temporary' || !(isFolder || entry.isFile())) continue;
      yield { path: join(folder, entry.name), name: entry.name, isFolder };
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** The gateway may delete a file in the meantime: then nothing needs it. */
async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function copySecrets(dataDir: string, folder: string): Promise<BackupDescription['secrets']> {
  const found: BackupDescription['secrets'] = [];
  for (const name of SECRETS)
    if (await copyIfThere(join(dataDir, name), join(folder, name))) found.push(name);
  return found;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
