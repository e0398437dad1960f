// Declares how a source is reached: as a person, with the person's credential, or as nobody.
import type { Integration, Progress, ToolContext } from '../../kit/integration.ts';
import type { Lease } from '../../memory/budget.ts';
import type { Connection } from '../../ports/records.ts';

/** Sends one request of a call. It adds the credential, follows the egress guard and renews a token after a 401. */
export type SendUpstream = (url: URL, init: UpstreamInit) => Promise<Response>;

export interface UpstreamInit {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | null;
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
}

/** A server, as one person reaches it. */
export interface Reached {
  /** An http(s) address, or `stdio:<name>` for a process of the operator's file. */
  address: string;
  /** Sessions are shared by calls with the same key: it names the import, the person, the account and its stored connection. */
  key: string;
  /** The session is for one listing, and ends with it. */
  isPassing?: boolean;
  /** For an http(s) address. Each call has its own. */
  send: SendUpstream;
  /** For what is sent after a call was cancelled, when its `send` sends nothing more. Otherwise `send` is used. */
  sendAfterwards?: SendUpstream | undefined;
  /** For a process: the values that the person has entered. */
  values: () => Promise<Readonly<Record<string, string>>>;
  signal?: AbortSignal | undefined;
  lease?: Lease | undefined;
  /** How long a call may be without an answer and without progress. */
  timeoutMs?: number | undefined;
  /** Set when the caller wants to know how far the call has come. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Members of `_meta` of a call: the trace that the server is asked to continue. SEP-414 */
  meta?: Readonly<Record<string, string>> | undefined;
}

export interface ReachedAs extends Reached {
  /** Removes the credential from an error that the source has written. */
  redact: <E>(error: E) => E | Error;
}

export interface Target {
  integration: Integration;
  /** Where the calls go, as `Source.addressOf` returns it. */
  address: string;
  /** How long a call may take, where the importer has said it. */
  timeoutMs?: number | undefined;
}

export interface Reach {
  /** Within the run of a tool. */
  inCall(target: Target, context: ToolContext): ReachedAs;
  /** Outside of one. `row` is the connection of the person; null for an import that needs none. */
  asPerson(target: Target, userId: string, row: Connection | null): ReachedAs;
  /** For one listing. `id` names its session, and `headers` are the same for everybody. */
  asNobody(
    address: string,
    id: string,
    headers?: Readonly<Record<string, string>>,
    importId?: string,
  ): Reached;
}
