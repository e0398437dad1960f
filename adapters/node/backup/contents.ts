// Judges the files of a backup: none may be a link or a device, only their owner may read them, and one checksum covers all.
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * Makes every file and folder private, then fails when there is anything else. A link would lead the gateway to files
 * outside its folder. The walk goes to its end first, because a folder that nobody may enter cannot be removed.
 */
export async function takeContents(folder: string): Promise<void> {
  const refused = await findRefused(folder, '.');
  if (refused !== null)
    throw new Error(
      `${refused}. Somebody has changed this backup: use another one, and nothing was restored.`,
    );
}

async function findRefused(path: string, name: string): Promise<string | null> {
  const entry = await lstat(path);
  if (entry.isFile()) {
    await chmod(path, 0o600);
    return entry.nlink === 1 ? null : `${name} is a second name of another file`;
  }
  if (!entry.isDirectory()) return `${name} is neither a file nor a folder`;
  await chmod(path, 0o700);
  let refused: string | null = null;
  for (const below of await readdir(path))
    refused = (await findRefused(join(path, below), join(name, below))) ?? refused;
  return refused;
}

/** Returns the SHA-256 of the names and the contents of all files but one, in the order of their names. */
export async function hashContents(folder: string, except: string): Promise<string> {
  const hash = createHash('sha256');
  await addFolder(hash, folder, '', except);
  return hash.digest('hex');
}

async function addFolder(hash: Hash, folder: string, under: string, except: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  // The order of the code units is the same on every machine.
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const [path, name] = [join(folder, entry.name), `${under}${entry.name}`];
    if (entry.isDirectory()) await addFolder(hash, path, `${name}/`, except);
    else if (name !== except) hash.update(`${JSON.stringify([name, await hashFile(path)])}\n`);
  }
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
