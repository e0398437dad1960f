// Notes in the data folder when the last backup was made and where it went, and reads the note for the gateway.
import { chmod, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Config } from '../../../src/config/config.ts';
import type { LastBackup } from '../../../src/ports/last-backup.ts';

const NOTE = 'last-backup.json';

const Note = z.object({
  madeAt: z.int(),
  /** Null where it went to the standard output. */
  file: z.string().nullable(),
  bytes: z.int().nullable(),
});

/** A backup is whole without its note, so a folder that takes none is told and no more. */
export async function noteBackup(dataDir: string, file: string | null): Promise<void> {
  const bytes = file === null ? null : (await stat(file)).size;
  const note = { madeAt: Math.floor(Date.now() / 1000), file, bytes };
  const path = join(dataDir, NOTE);
  await writeFile(`${path}.new`, JSON.stringify(note));
  // The gateway may run as somebody else.
  await chmod(`${path}.new`, 0o644);
  await rename(`${path}.new`, path);
}

/** Undefined where the data is elsewhere: nobody tells this gateway of backups of a database or a bucket. */
export function createLastBackup({ DATA_DIR, DATABASE_URL, BLOBS_URL }: Config): LastBackup | undefined {
  if (DATABASE_URL.kind !== 'sqlite' || BLOBS_URL.kind !== 'fs') return undefined;
  return async function readLastBackup() {
    const text = await readFile(join(DATA_DIR, NOTE), 'utf8').catch(() => null);
    const note = text === null ? null : Note.safeParse(parse(text)).data;
    if (note === null || note === undefined) return null;
    const { file, madeAt, bytes } = note;
    const now = file === null ? null : await stat(file).catch(() => null);
    return { madeAt, file: now === null ? 'elsewhere' : now.size === bytes ? 'whole' : 'changed' };
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
