// The browser port on Chromium: one process and one profile per user, started on demand and ended when idle.
import { type Browser, BrowserStartFailed } from '../../src/ports/browser.ts';
import { findChromium, userAgentOf } from './find-chromium.ts';
import {
  clearForgotten,
  markForgotten,
  prepareProfile,
  profileFolder,
  readForgotten,
  wipeProfile,
} from './profile.ts';
import { openSession, type ChromiumSession } from './session.ts';

export interface ChromiumOptions {
  /** The folder of the profiles. */
  folder: string;
  /** The path of Chromium, if the operator has set one. */
  path?: string | undefined;
  /** Off only where the system cannot sandbox Chromium. */
  sandbox: boolean;
  /** The environment variables that the browser may see. */
  environment: Record<string, string>;
  /** Returns host:port of the proxy for all requests of the browser. Called when a browser starts. */
  proxy: () => Promise<string>;
  idleMs?: number;
  /** How many browsers may run at once; each takes about 400 MB. */
  most?: number;
}

interface Entry {
  starting: Promise<ChromiumSession>;
  session: ChromiumSession | null;
  /** The browser has to end, even if it is still starting. */
  doomed: boolean;
}

const IDLE_MS = 10 * 60_000;
const MAX_SESSIONS = 20;

export function createChromium(options: ChromiumOptions): Browser {
  const { folder, path, sandbox, environment, proxy, idleMs = IDLE_MS, most = MAX_SESSIONS } = options;
  const entries = new Map<string, Entry>();
  /** Users whose profiles are being wiped. */
  const wiping = new Map<string, Promise<void>>();
  let closing = false;
  let userAgent: Promise<string> | null = null;

  async function start(userId: string, previous: Entry | undefined): Promise<ChromiumSession> {
    // Waits for the wipes and starts that are under way now. A wipe that is requested later waits for this
    // start.
    await Promise.all([goneOf(previous), wiping.get(userId)]);
    const found = findChromium(path);
    const profile = profileFolder(folder, userId);
    userAgent ??= userAgentOf(found);
    userAgent.catch(() => (userAgent = null));
    const launch = {
      path: found,
      profile,
      userAgent: await userAgent,
      sandbox,
      environment,
      proxy: await proxy(),
    };
    await prepareProfile(profile);
    const session = await openSession(launch);
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

  function open(userId: string): Promise<ChromiumSession> {
    const running = entries.get(userId);
    if (running !== undefined && !isEnding(running)) return running.starting;
    if (closing) return Promise.reject(new BrowserStartFailed('The gateway is stopping.'));
    if (running === undefined && entries.size >= most)
      return Promise.reject(
        new BrowserStartFailed(
          `All ${most} browsers of this gateway are in use. Try again in a few minutes.`,
        ),
      );
    const entry: Entry = { starting: start(userId, running), session: null, doomed: false };
    entries.set(userId, entry);
    const forget = () => entries.get(userId) === entry && entries.delete(userId);
    entry.starting.then((session) => {
      entry.session = session;
      void session.closed.then(forget);
    }, forget);
    return entry.starting;
  }

  async function end(userId: string): Promise<void> {
    const entry = entries.get(userId);
    if (entry === undefined) return;
    entry.doomed = true;
    const session = await entry.starting.catch(() => null);
    await session?.close();
  }

  return {
    open,
    status(userId) {
      const entry = entries.get(userId);
      return entry === undefined ? 'off' : entry.session === null ? 'starting' : 'on';
    },
    current: (userId) => entries.get(userId)?.session ?? null,
    async forget(userId, domains) {
      const profile = profileFolder(folder, userId);
      // The mark comes first, so that a browser that ends or starts meanwhile does it at its next start.
      await markForgotten(profile, domains);
      const session = (await entries.get(userId)?.starting.catch(() => null)) ?? null;
      if (session === null) return;
      // A browser that cannot delete them ends, and its next start has to.
      await session.forget(domains).then(
        () => clearForgotten(profile),
        () => session.close(),
      );
    },
    async reset(userId) {
      const done = Promise.all([end(userId), wiping.get(userId)]).then(() =>
        wipeProfile(profileFolder(folder, userId)),
      );
      const settled = done.catch(() => {});
      wiping.set(userId, settled);
      await done.finally(() => wiping.get(userId) === settled && wiping.delete(userId));
    },
    async close() {
      closing = true;
      clearInterval(reaper);
      await Promise.all([...entries.keys()].map(end));
    },
  };
}

const isEnding = ({ doomed, session }: Entry): boolean => doomed || session?.isEnding() === true;

/** Resolves when the ending browser has released its profile for the next one. */
async function goneOf(entry: Entry | undefined): Promise<void> {
  const session = await entry?.starting.catch(() => null);
  await session?.closed;
}
