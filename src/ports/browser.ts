// One real browser a user, watched and driven from the portal. Absent where no process can be started.
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

/** A command of the browser's debugging protocol, or one of the live view's own. */
export interface BrowserCommand {
  id: number;
  method: string;
  params: Record<string, unknown>;
  /** A page's session; absent for the active page. */
  sessionId?: string;
}

/** A viewer's way in: sessions of its own with every page. docs/live-view.md */
export interface BrowserChannel {
  /** The command has passed the policy; its answer comes to the channel's listener. */
  send(command: BrowserCommand): void;
  /** Tells the listener again which pages there are. */
  announce(): void;
  close(): void;
}

export interface BrowserSession {
  readonly userAgent: string;
  /** Settles when the browser has ended, for whatever reason. */
  readonly closed: Promise<void>;
  /** Resolves when the active page has begun to come, or the site takes too long to answer. */
  navigate(url: string): Promise<void>;
  cookies(): Promise<BrowserCookie[]>;
  /** Sets all it can; rejects when there are some that the browser does not take. */
  setCookies(cookies: readonly BrowserCookie[]): Promise<void>;
  /** The listener gets messages as one line of UTF-8 JSON each. A channel that was open before is closed. */
  openChannel(listener: (message: Uint8Array<ArrayBuffer>) => void): Promise<BrowserChannel>;
  close(): Promise<void>;
}

export interface Browser {
  status(userId: string): 'off' | 'starting' | 'on';
  /** The user's running browser, or null. */
  current(userId: string): BrowserSession | null;
  /** Starts it when it does not run; a start in flight is joined, never doubled. Throws BrowserStartFailed. */
  open(userId: string): Promise<BrowserSession>;
  /** Ends the user's browser where it runs, and wipes the profile. */
  reset(userId: string): Promise<void>;
  close(): Promise<void>;
}

/** The message is for the operator: what was looked for, and what to do. */
export class BrowserStartFailed extends Error {
  override readonly name = 'BrowserStartFailed';
}
