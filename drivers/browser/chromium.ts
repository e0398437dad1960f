// The browser port over Chromium: one process and one profile a user, started when asked, ended when idle.
import { type Browser, BrowserStartFailed } from '../../src/ports/browser.ts';
import { findChromium, userAgentOf } from './find-chromium.ts';
import { prepareProfile, profileFolder, wipeProfile } from './profile.ts';
import { openSession, type ChromiumSession } from './session.ts';

export interface ChromiumOptions {
  /** Where profiles are kept. */
  folder: string;
  /** The operator's word on where Chromium is. */
  path?: string | undefined;
  /** Off only where the system cannot give it one. */
  sandbox: boolean;
  /** What the browser may know of the gateway's environment. */
  environment: Record<string, string>;
  /** host:port of the proxy that all of its requests pass. Asked for when a browser starts. */
  proxy: () => Promise<string>;
  idleMs?: number;
  /** Of browsers at once; each takes some 400 MB. */
  most?: number;
}

interface Entry {
  starting: Promise<ChromiumSession>;
  session: ChromiumSession | null;
  /** It is to be ended, also if it is only starting yet. */
  doomed: boolean;
}

const IDLE_MS = 10 * 60_000;
const MAX_SESSIONS = 20;

export function createChromium(options: ChromiumOptions): Browser {
  const { folder, path, sandbox, environment, proxy, idleMs = IDLE_MS, most = MAX_SESSIONS } = options;
  const entries = new Map<string, Entry>();
  /** Profiles that are being wiped. */
  const wiping = new Map<string, Promise<void>>();
  let closing = false;
  let userAgent: Promise<string> | null = null;

  async function start(userId: string, previous: Entry | undefined): Promise<ChromiumSession> {
    // Both of now: a wiping that is asked for later waits for this start.
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
    return openSession(launch);
  }

  /** The gateway's own end is not held up by a browser that nobody uses. */
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

/** When a browser that is ending leaves its profile to the next one. */
async function goneOf(entry: Entry | undefined): Promise<void> {
  const session = await entry?.starting.catch(() => null);
  await session?.closed;
}
