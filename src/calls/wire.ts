// Declares a raw request, and what the adapter that holds the sockets of both sides does for it.
import type { Header } from '../connections/calls/route.ts';
import type { Answer } from '../connections/model/refusal-words.ts';
import type { Wanted } from '../json/sensitive.ts';
import type { Connection } from '../ports/records.ts';

export interface RawPath {
  integration: string;
  /** The path behind the base as the caller sent it: empty, or starting with a slash. */
  tail: string;
  /** The query with its question mark, or empty. */
  search: string;
}

/** The head of a raw request. */
export interface RawRequest {
  method: string;
  path: RawPath;
  /** Whether the body may be a form. */
  hasForm: boolean;
}

export interface Destination {
  /** The address as the integration declares it. */
  declared: URL;
  /** The address of the API, without the path of the request. */
  base: string;
  /** The origin that is really called. */
  origin: string;
  /** The request target. Behind the base it is byte for byte what the caller sent. */
  target: string;
  addresses: readonly [string, ...string[]];
  /** They replace the caller's headers of these names, which are in lower case. */
  headers: readonly Header[];
  /** They are sent unless the caller sent others. */
  defaults: readonly Header[];
}

/** Where a request goes, and which headers go with it. */
export interface Sent {
  destination: Destination;
  /** Whether the token or a rule allows only certain methods, or only a part of the paths. */
  isHeld: boolean;
  /** What is taken out of the answer. Null where it passes as it is. */
  redactions: Wanted | null;
}

export interface Exchange extends Sent {
  /** Whether the cookies that the upstream sets stay with the gateway. */
  keepsCookies: boolean;
  /** Whether the gateway handles a 401 itself instead of passing it on. */
  mayRetry: boolean;
  /**
   * Set for a call that a person has approved, with the body that they were shown. Its outcome has to be known, so it goes on
   * until the upstream answers when the caller leaves.
   */
  approved: { body: Uint8Array<ArrayBuffer> | null } | null;
  /**
   * Stores what the head of the answer says, before the caller gets it: the cookies that the upstream sets in a session, and
   * how an approved call ended. Null when there is nothing to store. The promise never rejects, and brings the connection
   * with the new cookies, if it has any.
   */
  note: (status: number, setCookies: readonly string[]) => Promise<Connection | null> | null;
  /** Further headers for the upstream, as a raw list. */
  added?: readonly string[];
}

interface Answered {
  kind: 'answered';
  status: number;
  /** What `note` has returned. */
  noted: Promise<Connection | null> | null;
  /** What a 403 says, as far as it was read and is plain text. */
  refusal?: Answer;
  /** What the answer is, where the rules want it checked and it cannot be. Nothing of it has been sent to the caller. */
  withheld?: string;
}

export type Relayed =
  | Answered
  /** The upstream answered 401 and nothing has been sent to the caller, so the call can be repeated. */
  | { kind: 'turned-down' }
  | { kind: 'failed'; reason: string }
  | { kind: 'caller-gone' }
  /** The person's access ended. `isSent`: the upstream may have taken the request. */
  | { kind: 'access-ended'; isSent: boolean };

/** The two sides of one raw request. */
export interface Wire {
  /** Whether the person's access has ended. The caller is answered then. */
  isEnded(): boolean;
  hasBody: boolean;
  /** The bytes that the caller has announced: 0 where it has not said. */
  announced: number;
  /** Whether the caller names a trace of its own. */
  namesTrace: boolean;
  isCallerGone(): boolean;
  /** Lets a caller that waits for it send its body. */
  askForBody(): void;
  /** Reads a whole body of at most so many bytes. It never rejects. */
  readBody(most: number): Promise<Uint8Array<ArrayBuffer> | 'too-large' | 'caller-gone'>;
  /** The caller's headers that are passed on, names and values in turn. */
  headersFor(sent: Sent): readonly string[];
  /** Sends the request on, and passes the answer to the caller as it comes. */
  relay(exchange: Exchange): Promise<Relayed>;
}
