// The browser port over Chromium: one process and one profile a user, started when asked, ended when idle.
import { type Browser, BrowserStartFailed } from '../../src/ports/browser.ts';
import { findChromium, userAgentOf } from './places.ts';
import { prepareProfile, profileFolder, wipeProfile } from './profile.ts';
import { openSession, type Session } from './session.ts';

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
  starting: Promise<Session>;
  session: Session | null;
}

const IDLE_MS = 10 * 60_000;
const MOST = 20;

export function createChromium(options: ChromiumOptions): Browser {
  const { folder, path, sandbox, environment, proxy, idleMs = IDLE_MS, most = MOST } = options;
  const entries = new Map<string, Entry>();
  /** Profiles that are being wiped. */
  const wiping = new Map<string, Promise<void>>();
  let closing = false;
  let userAgent: Promise<string> | null = null;

  async function start(userId: string): Promise<Session> {
    await wiping.get(userId);
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

  function open(userId: string): Promise<Session> {
    const running = entries.get(userId);
    if (running !== undefined) return running.starting;
    if (closing) return Promise.reject(new BrowserStartFailed('The gateway is stopping.'));
    if (entries.size >= most)
      return Promise.reject(
        new BrowserStartFailed(
          `All ${most} browsers of this gateway are in use. Try again in a few minutes.`,
        ),
      );
    const entry: Entry = { starting: start(userId), session: null };
    entries.set(userId, entry);
    const forget = () => entries.get(userId) === entry && entries.delete(userId);
    entry.starting.then((session) => {
      entry.session = session;
      void session.closed.then(forget);
      if (closing) void session.close();
    }, forget);
    return entry.starting;
  }

  async function end(userId: string): Promise<void> {
    const session = await entries.get(userId)?.starting.catch(() => null);
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
      const done = end(userId).then(() => wipeProfile(profileFolder(folder, userId)));
      wiping.set(
        userId,
        done.catch(() => {}),
      );
      await done.finally(() => wiping.delete(userId));
    },
    async close() {
      closing = true;
      clearInterval(reaper);
      await Promise.all([...entries.keys()].map(end));
    },
  };
}
