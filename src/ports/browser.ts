// Runs one real browser for each user, which the portal shows and drives. It is absent where no process can be started.

/** The name of the profile that the integrations of a person share. Further accounts have profiles of their own. */
export const FIRST_PROFILE = '';

export interface BrowserCookie {
  name: string;
  value: string;
  domain: string;
  path: string;
  /** Unix seconds; -1 for a session cookie. */
  expires: number;
  secure: boolean;
  httpOnly: boolean;
  sameSite?: 'Strict' | 'Lax' | 'None';
}

/** A command of the browser's debugging protocol, or of the live view itself. */
export interface BrowserCommand {
  id: number;
  method: string;
  params: Record<string, unknown>;
  /** The session of a page. Absent means the active page. */
  sessionId?: string;
}

/** Connects a viewer, with its own session for every page. docs/live-view.md */
export interface BrowserChannel {
  /** Sends a command that has passed the policy. The listener of the channel gets its answer. */
  send(command: BrowserCommand): void;
  /** Tells the listener again which pages exist. */
  announce(): void;
  close(): void;
}

export interface BrowserSession {
  readonly userAgent: string;
  /** The name of the profile that the browser runs with. */
  readonly profile: string;
  /** Settles when the browser has ended, for any reason. */
  readonly closed: Promise<void>;
  /** Resolves when the active page begins to load, or when the site takes too long to answer. */
  navigate(url: string): Promise<void>;
  cookies(): Promise<BrowserCookie[]>;
  /** Sets every cookie that it can. Rejects when the browser refuses some of them. */
  setCookies(cookies: readonly BrowserCookie[]): Promise<void>;
  /** Passes each message to the listener as one line of UTF-8 JSON. Opening a channel closes the previous one. */
  openChannel(listener: (message: Uint8Array<ArrayBuffer>) => void): Promise<BrowserChannel>;
  close(): Promise<void>;
}

/** A person has one browser at a time, which runs with one of the person's profiles. */
export interface Browser {
  status(userId: string): 'off' | 'starting' | 'on';
  /** Returns the user's running browser, or null. */
  current(userId: string): BrowserSession | null;
  /**
   * Starts the browser with this profile when it is not running. A browser that runs with another profile ends first.
   * Parallel calls share one start. Throws BrowserStartFailed.
   */
  open(userId: string, profile: string): Promise<BrowserSession>;
  /**
   * Deletes the cookies of these domains, those below them and those of their parents, from the first profile. A browser
   * that is not running has lost them before anybody can use it again.
   */
  forget(userId: string, domains: readonly string[]): Promise<void>;
  /** Deletes one profile. A browser that runs with it ends. */
  remove(userId: string, profile: string): Promise<void>;
  /** Ends the user's browser and deletes all profiles of the user. */
  reset(userId: string): Promise<void>;
  close(): Promise<void>;
}

/** The message tells the operator what was looked for and what to do. */
export class BrowserStartFailed extends Error {
  override readonly name = 'BrowserStartFailed';
}
