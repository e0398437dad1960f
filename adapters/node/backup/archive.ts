// Packs a folder into one compressed file and unpacks it again, with the tar of the system.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** In place of a file: the output of this process, or its input. */
export const STREAM = '-';

export const pack = (folder: string, file: string): Promise<void> =>
  run(['-czf', file, '-C', folder, '.'], file);

/** Owners and modes are those of the person who restores. tar itself refuses names that lead out of the folder. */
export const unpack = (file: string, folder: string): Promise<void> =>
  run(['-xzf', file, '-C', folder, '--no-same-owner', '--no-same-permissions'], file);

async function run(args: readonly string[], file: string): Promise<void> {
  const own = file === STREAM ? 'inherit' : 'ignore';
  const tar = spawn('tar', args, { stdio: [own, own, 'pipe'] });
  const started = Promise.withResolvers<void>();
  tar
    .once('spawn', started.resolve)
    .once('error', () => started.reject(new Error('tar is not installed on this machine.')));
  await started.promise;
  const [complaint, [code]] = await Promise.all([text(tar.stderr), once(tar, 'close')]);
  if (code !== 0)
    throw new Error(`tar could not finish ${file === STREAM ? 'the stream' : file}: ${complaint.trim()}`);
}
