// Keeps the browsers of people: one at a time for each user with one of the user's profiles, started on demand and ended
// when idle.
import { type Browser, BrowserStartFailed, FIRST_PROFILE } from '../../src/ports/browser.ts';
import { clearForgotten, markForgotten, profileFolder, readForgotten, wipeProfile } from './profile.ts';
import type { ChromiumSession } from './session.ts';

export interface PerPersonOptions {
  /** The folder of the profiles. */
  folder: string;
  /** Starts a browser with the profile in this folder. `name` is what the port calls it. */
  open: (profile: string, name: string) => Promise<ChromiumSession>;
  idleMs?: number | undefined;
  /** How many browsers may run at once; each takes about 400 MB. */
  most?: number | undefined;
}

interface Entry {
  profile: string;
  /** Resolves when the browser before this one has released its profile. */
  formerGone: Promise<void>;
  starting: Promise<ChromiumSession>;
  session: ChromiumSession | null;
  /** The browser has to end, even if it is still starting. */
  doomed: boolean;
}

const IDLE_MS = 10 * 60_000;
const MAX_SESSIONS = 20;

export function createPerPerson(options: PerPersonOptions): Browser {
  const { folder, idleMs = IDLE_MS, most = MAX_SESSIONS } = options;
  const entries = new Map<string, Entry>();
  /** Users whose profiles are being wiped. */
  const wiping = new Map<string, Promise<void>>();
  let closing = false;

  async function start(userId: string, name: string, formerGone: Promise<void>): Promise<ChromiumSession> {
    // Waits for the wipes and starts that are under way now. A wipe that is requested later waits for this
    // start.
    await Promise.all([formerGone, wiping.get(userId)]);
    const profile = profileFolder(folder, userId, name);
    const session = await options.open(profile, name);
    try {
      await session.forget(await readForgotten(profile));
      await clearForgotten(profile);
    } catch (cause) {
      await session.close();
      throw new BrowserStartFailed(
        'The browser could not delete the cookies of a connection that has ended.',
        {
          cause,
        },
      );
    }
    return session;
  }

  /** An idle browser does not keep the gateway's process alive. */
  const reaper = setInterval(
    () => {
      for (const { session } of entries.values())
        if (session !== null && performance.now() - session.usedAt() > idleMs) void session.close();
    },
    Math.min(idleMs, 30_000),
  );
  reaper.unref();

  function open(userId: string, profile: string): Promise<ChromiumSession> {
    const running = entries.get(userId);
    if (running?.profile === profile && !isEnding(running)) return running.starting;
    if (closing) return Promise.reject(new BrowserStartFailed('The gateway is stopping.'));
    if (running === undefined && entries.size >= most)
      return Promise.reject(
        new BrowserStartFailed(
          `All ${most} browsers of this gateway are in use. Try again in a few minutes.`,
        ),
      );
    if (running !== undefined && !isEnding(running)) void end(running);
    const formerGone = goneOf(running);
    const starting = start(userId, profile, formerGone);
    const entry: Entry = { profile, formerGone, starting, session: null, doomed: false };
    entries.set(userId, entry);
    const forget = () => entries.get(userId) === entry && entries.delete(userId);
    entry.starting.then((session) => {
      entry.session = session;
      void session.closed.then(forget);
    }, forget);
    return entry.starting;
  }

  /** Wipes the profiles of a folder after the browser that uses them has ended. Wipes of a user run one by one. */
  async function wipe(userId: string, profiles: string, ended: Promise<void>): Promise<void> {
    const done = Promise.all([ended, wiping.get(userId)]).then(() => wipeProfile(profiles));
    const settled = done.catch(() => {});
    wiping.set(userId, settled);
    await done.finally(() => wiping.get(userId) === settled && wiping.delete(userId));
  }

  return {
    open,
    status(userId) {
      const entry = entries.get(userId);
      return entry === undefined ? 'off' : entry.session === null ? 'starting' : 'on';
    },
    current: (userId) => entries.get(userId)?.session ?? null,
    async forget(userId, domains) {
      const profile = profileFolder(folder, userId, FIRST_PROFILE);
      // The mark comes first, so that a browser that ends or starts meanwhile does it at its next start.
      await markForgotten(profile, domains);
      const entry = entries.get(userId);
      const session = entry?.profile === FIRST_PROFILE ? await entry.starting.catch(() => null) : null;
      if (session === null) return;
      // A browser that cannot delete them ends, and its next start has to.
      await session.forget(domains).then(
        () => clearForgotten(profile),
        () => session.close(),
      );
    },
    remove(userId, profile) {
      const entry = entries.get(userId);
      const ended = entry?.profile === profile ? end(entry) : (entry?.formerGone ?? Promise.resolve());
      return wipe(userId, profileFolder(folder, userId, profile), ended);
    },
    reset: (userId) => wipe(userId, profileFolder(folder, userId, FIRST_PROFILE), end(entries.get(userId))),
    async close() {
      closing = true;
      clearInterval(reaper);
      await Promise.all([...entries.values()].map(end));
    },
  };
}

/** Ends the browser, also one that is still starting. */
async function end(entry: Entry | undefined): Promise<void> {
  if (entry === undefined) return;
  entry.doomed = true;
  const session = await entry.starting.catch(() => null);
  await session?.close();
}

const isEnding = ({ doomed, session }: Entry): boolean => doomed || session?.isEnding() === true;

/** Resolves when the ending browser has released its profile for the next one. */
async function goneOf(entry: Entry | undefined): Promise<void> {
  const session = await entry?.starting.catch(() => null);
  await session?.closed;
}
