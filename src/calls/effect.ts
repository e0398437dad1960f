// Declares what a call does: it runs a tool, or it relays a request. Both take the same steps, and each step returns what it
// has found or how it ended the call. docs/calls.md
import type { CallContent } from '../record/details/details.ts';
import type { Access } from '../kit/access.ts';
import type { Integration, KnownCaller } from '../kit/integration.ts';
import type { Left } from './once/kept.ts';
import type { KeyedCall, NoTurn, Turn } from './once/once.ts';
import type { Entry, RunEnd } from '../policy/model/approvals.ts';
import type { Permissions } from '../policy/model/permissions.ts';
import type { AuditAction } from '../ports/records.ts';
import type { SpanStart } from '../ports/telemetry.ts';
import type { Ending, NamedAccount, Names, Refusal } from './outcome.ts';

/** A step has ended the call. */
export interface Ended<E> {
  ending: E | Refusal;
}

export interface Judged {
  /** What the call can do at most. */
  access: Access;
  /** Whether a person has to approve the call. */
  asks: boolean;
  /** What the caller has read before, where the person is asked for that reason. */
  because?: string | undefined;
}

/** The call may not go on. Its access is null where it is not known what the call is. */
export interface Refused<E> extends Ended<E> {
  access: Access | null;
}

export interface Found {
  named: NamedAccount;
}

/** What came of asking the person. `body` is what they were shown of a request. */
export interface Entered {
  entry: Entry;
  body?: Uint8Array<ArrayBuffer> | null;
}

/** The call has an approval and may run once. */
export interface Approved {
  body: Uint8Array<ArrayBuffer> | null;
  /** Notes how the call ended, once. It never rejects. */
  finish(end: RunEnd): Promise<void>;
}

/** What is known when a call has run. */
export interface Ran<E> extends Ended<E> {
  /** For the approval of the call. */
  end: RunEnd;
  /** The last status of the provider. Null where it did not answer. */
  status: number | null;
  /** The secrets of the connection. */
  secrets?: (() => string[]) | undefined;
  /** How long it ran. */
  milliseconds?: number;
  /** What it leaves of its key. Absent for a call without one. */
  left?: Left | undefined;
}

/** Says how calls of one kind are recorded. */
export interface Manner {
  action: AuditAction;
  /** Whether the metrics count the call as an execution. */
  isCounted: boolean;
  /** Whether the caller waits until the row is stored. */
  isAwaited: boolean;
  /** Whether the time of the call is that of all steps. Otherwise it is that of its run. */
  isTimedWhole: boolean;
}

/** What a call with a key says of itself. */
export interface OnceEffect<J extends Judged, F extends Found, E extends Ending> {
  /** Null for a call that only reads: it may run again and again. */
  callOf(caller: KnownCaller, judged: J, found: F): KeyedCall | Ended<E> | null;
  /** How the call ends that does not get its turn. */
  answer(caller: KnownCaller, judged: J, found: F, entered: NoTurn): Promise<E | Refusal>;
}

export interface Effect<J extends Judged, F extends Found, E extends Ending> {
  readonly integration: Integration;
  /** The name in the audit row. */
  readonly tool: string;
  /** The run of a script that makes the call. */
  readonly script?: string;
  readonly manner: Manner;
  /** What the call can do, where that is known before it is judged. */
  readonly access: Access | null;
  /** The span of the call. Absent where the effect records spans of its own. */
  readonly span?: () => SpanStart;
  /** Absent for a call without a key. */
  readonly once?: OnceEffect<J, F, E>;
  /** Why a call that was just admitted must not begin. */
  whyStopped(caller: KnownCaller): E | null;
  judge(caller: KnownCaller, permissions: Permissions): J | Refused<E> | Promise<J | Refused<E>>;
  findAccount(caller: KnownCaller, judged: J): F | (Found & Ended<E>) | Promise<F | (Found & Ended<E>)>;
  /** Uses the approval of exactly this call, or asks for one. */
  ask(caller: KnownCaller, judged: J, found: F, permissions: Permissions): Promise<Entered | Ended<E>>;
  /** Tells how the run ended instead of rejecting. */
  run(
    caller: KnownCaller,
    judged: J,
    found: F,
    approved: Approved | null,
    turn: Turn | null,
  ): Promise<Ran<E>>;
  /** How an error of a step before `run` ends the call. It may throw the error on. */
  explain(caller: KnownCaller, error: unknown, names: Names): E;
  /** What the details of the call keep. */
  contentOf(ending: E | Refusal, secrets: Ran<E>['secrets']): CallContent;
}
