// A user's profile on disk: made with the preferences a shared machine needs and a desktop that opens nothing, freed of
// a dead browser's lock, wiped.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readlink, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { BrowserStartFailed } from '../../src/ports/browser.ts';

const LOCKS = ['SingletonLock', 'SingletonCookie', 'SingletonSocket'];

// Without them Chromium offers to keep passwords, and asks a service of its maker whether one has leaked.
const PREFERENCES = {
  credentials_enable_service: false,
  credentials_enable_autosignin: false,
  profile: { password_manager_enabled: false, password_manager_leak_detection: false },
  safebrowsing: { enabled: false, enhanced: false },
  signin: { allowed: false, allowed_on_next_startup: false },
  search: { suggest_enabled: false },
  autofill: { enabled: false, profile_enabled: false, credit_card_enabled: false },
  alternate_error_pages: { enabled: false },
  translate: { enabled: false },
  net: { network_prediction_options: 2 },
  download: { prompt_for_download: false },
};

/** User ids come from elsewhere: their hash is a name of a folder whatever they hold. */
export function profileFolder(root: string, userId: string): string {
  return join(root, createHash('sha256').update(userId).digest('hex').slice(0, 32));
}

/** Programs that the browser finds before the system's. */
export const programsOf = (profile: string): string => join(profile, 'programs');

// For a link to an application (slack:, mailto:) Chromium asks the desktop whether it is itself the one to open it, and
// if so does nothing. Otherwise it opens it on this machine, or asks first: in a dialog that no screencast shows, with
// the page behind it deaf to the mouse.
const DESKTOP = '#!/bin/sh\necho yes\n';

export async function prepareProfile(folder: string): Promise<void> {
  await mkdir(join(folder, 'Default'), { recursive: true, mode: 0o700 });
  await mkdir(programsOf(folder), { recursive: true, mode: 0o700 });
  await writeFile(join(programsOf(folder), 'xdg-settings'), DESKTOP, { mode: 0o700 });
  await unlock(folder);
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify(PREFERENCES), {
    flag: 'wx',
    mode: 0o600,
  }).catch((error: unknown) => {
    // Chromium has written its own on top of ours.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
}

export async function wipeProfile(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** A browser that was killed leaves its lock behind, and the next one would take it for a running one. */
async function unlock(folder: string): Promise<void> {
  const holder = await readlink(join(folder, 'SingletonLock')).catch(() => null);
  if (holder !== null && isAlive(holder, folder))
    throw new BrowserStartFailed(
      'Another process of this gateway has a browser open for this person: send the person to the same process (sticky on X-Browser-Session).',
    );
  // The socket lies in a folder of its own among the temporary files.
  const socket = await readlink(join(folder, 'SingletonSocket')).catch(() => null);
  if (socket !== null && basename(dirname(socket)).startsWith('org.chromium.Chromium.'))
    await rm(dirname(socket), { recursive: true, force: true });
  await Promise.all(LOCKS.map((name) => rm(join(folder, name), { force: true })));
}

/** The lock is a link to `<host>-<pid>`. Another program may have got the number since. */
function isAlive(holder: string, folder: string): boolean {
  const dash = holder.lastIndexOf('-');
  if (holder.slice(0, dash) !== hostname()) return false;
  try {
    return readFileSync(`/proc/${Number(holder.slice(dash + 1))}/cmdline`, 'utf8').includes(folder);
  } catch {
    return false;
  }
}
