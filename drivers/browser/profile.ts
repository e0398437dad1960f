// A user's browser profiles on disk: creates them with preferences for a shared machine and a desktop that opens
// no applications, removes a dead browser's lock, and wipes them. decision: 050
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { appendFile, mkdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { BrowserStartFailed, FIRST_PROFILE } from '../../src/ports/browser.ts';

const LOCKS = ['SingletonLock', 'SingletonCookie', 'SingletonSocket'];

// Without these preferences Chromium offers to save passwords, and asks a Google service whether a password
// has leaked.
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

/** Names a folder after the hash of a text, because user ids and names of accounts come from outside. */
const folderName = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The other profiles of a user are inside the first one, so that one deletion reaches all of them. */
export function profileFolder(root: string, userId: string, profile: string): string {
  const first = join(root, folderName(userId));
  return profile === FIRST_PROFILE ? first : join(first, 'accounts', folderName(profile));
}

/** Programs that the browser finds before those of the system. */
export const programsOf = (profile: string): string => join(profile, 'programs');

// For a link to an application (slack:, mailto:) Chromium asks the desktop for the default program, and does
// nothing if that is Chromium itself. Otherwise it opens the program on this machine, or shows a dialog that
// no screencast contains while the page behind it ignores the mouse.
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
    // Chromium has merged its own preferences into ours.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
}

/** The domains whose cookies the next browser has to lose before anybody uses it. */
const marks = (folder: string): string => join(folder, 'forget.txt');

/** Does nothing for a person without a profile. */
export async function markForgotten(folder: string, domains: readonly string[]): Promise<void> {
  await appendFile(marks(folder), domains.map((domain) => `${domain}\n`).join(''), { mode: 0o600 }).catch(
    ifMissing,
  );
}

export async function readForgotten(folder: string): Promise<string[]> {
  const text = (await readFile(marks(folder), 'utf8').catch(ifMissing)) ?? '';
  return text.split('\n').filter((domain) => domain !== '');
}

export const clearForgotten = (folder: string): Promise<void> => rm(marks(folder), { force: true });

function ifMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}

export async function wipeProfile(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** A killed browser leaves its lock behind, and the next one would think that it is still running. */
async function unlock(folder: string): Promise<void> {
  const holder = await readlink(join(folder, 'SingletonLock')).catch(() => null);
  if (holder !== null && isAlive(holder, folder))
    throw new BrowserStartFailed(
      'Another process of this gateway has a browser open for this person: send the person to the same process (sticky on X-Browser-Session).',
    );
  // The socket is in its own folder among the temporary files.
  const socket = await readlink(join(folder, 'SingletonSocket')).catch(() => null);
  if (socket !== null && basename(dirname(socket)).startsWith('org.chromium.Chromium.'))
    await rm(dirname(socket), { recursive: true, force: true });
  await Promise.all(LOCKS.map((name) => rm(join(folder, name), { force: true })));
}

/** The lock is a link to `<host>-<pid>`. Another program may have got that process id since. */
function isAlive(holder: string, folder: string): boolean {
  const dash = holder.lastIndexOf('-');
  if (holder.slice(0, dash) !== hostname()) return false;
  try {
    const command = readFileSync(`/proc/${Number(holder.slice(dash + 1))}/cmdline`, 'utf8');
    // A longer path belongs to another profile, which is inside this one.
    const [, ...rests] = command.split(`--user-data-dir=${folder}`);
    return rests.some((rest) => !rest.startsWith('/'));
  } catch {
    return false;
  }
}
