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

export interface BrowserSession {
  navigate(url: string): Promise<void>;
  /** One message of the browser's debugging protocol, as text. */
  send(message: string): void;
  onMessage(listener: (message: string) => void): void;
  cookies(): Promise<BrowserCookie[]>;
  setCookies(cookies: BrowserCookie[]): Promise<void>;
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export interface Browser {
  /** The user's running browser, or null. */
  current(userId: string): BrowserSession | null;
  /** Starts it when it does not run; a start in flight is joined, never doubled. */
  open(userId: string): Promise<BrowserSession>;
  /** Wipes the user's profile; refused while a session is open. */
  reset(userId: string): Promise<'wiped' | 'active'>;
  close(): Promise<void>;
}
