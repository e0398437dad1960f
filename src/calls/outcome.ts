// Declares how a call can end. Each door turns it into its wire form with one exhaustive switch. docs/calls.md
import type { Integration, ScriptNote } from '../kit/integration.ts';
import type { AccountOwner } from '../ports/records.ts';
import type { ApprovalLink } from '../policy/model/approvals.ts';
import type { KeyError } from './once/once.ts';

/**
 * `account` is the label of the account that was meant, where the person has several, and of the team connection. `owner`
 * says whose it is, for the audit.
 */
export interface NamedAccount {
  account?: string;
  owner?: AccountOwner;
}

/** What every outcome names. */
export interface Names extends NamedAccount {
  integration: string;
  tool: string;
}

/** Why a step did not let a call go on, whatever the call was to do. */
export type Refusal =
  /** The person, or their key or client, has reached a limit. */
  | { kind: 'too-many'; message: string; retryAfterSeconds: number }
  /** The rules, the caller's limits or the rule of the team connection do not allow the call. */
  | { kind: 'blocked'; message: string; because?: string | undefined }
  | { kind: 'not-connected'; message: string }
  /** Nobody may guess which account is meant. */
  | {
      kind: 'no-account';
      error: 'AMBIGUOUS_ACCOUNT' | 'UNKNOWN_ACCOUNT';
      message: string;
      accounts: readonly string[];
    }
  /** A person has to approve the call first. */
  | {
      kind: 'asked';
      message: string;
      approval: ApprovalLink;
      because?: string | undefined;
      script?: ScriptNote;
    }
  /** The person has said no to this call. */
  | { kind: 'denied'; message: string };

/** What the rules have taken out of the result, by kind. */
interface Redacted {
  redacted?: Readonly<Record<string, number>>;
}

/** How the call of a tool ends. */
export type ToolEnding =
  | Refusal
  /** `hint` says why a selection is empty. `replayed`: the call ran before, and not again. */
  | ({ kind: 'success'; result: unknown; hint?: string; replayed?: true; script?: ScriptNote } & Redacted)
  /** The tool ran, but `select` could not be applied. A tool that changes something also gives its result, if not too long. */
  | ({
      kind: 'select-failed';
      message: string;
      result?: unknown;
      replayed?: true;
      script?: ScriptNote;
    } & Redacted)
  | { kind: 'invalid-arguments'; message: string }
  /** The person has lost their access. `mayHaveRun`: a request that changes something was perhaps sent before. */
  | { kind: 'access-ended'; mayHaveRun: boolean }
  /** A service that the gateway depends on cannot be reached. */
  | { kind: 'unavailable'; message: string }
  /**
   * `cure` says how the person can fix a connection that the provider no longer accepts. `body` is what the provider has
   * sent, for the details of the call alone.
   */
  | { kind: 'failed'; message: string; cure?: string; body?: unknown; replayed?: true; script?: ScriptNote }
  /** The key of the call belongs to a call that is not over, to another one, or to one whose answer is not known. */
  | { kind: 'not-repeated'; error: KeyError; message: string };

/** How a raw request ends. */
export type RequestEnding =
  | Refusal
  /** The token does not allow the request. */
  | { kind: 'not-lent'; status: 400 | 403; message: string }
  /** There is no way to the upstream. */
  | { kind: 'no-way'; message: string }
  /** The upstream has answered, and the caller has its answer. */
  | { kind: 'relayed'; status: number }
  /** The upstream has answered, and the rules hold its answer back, because it cannot be checked. `what` names it. */
  | { kind: 'withheld'; status: number; what: string }
  /** The upstream has not answered. */
  | { kind: 'unanswered'; reason: string }
  | { kind: 'caller-gone' }
  /** The person has lost their access, and the caller knows it. `mayHaveRun`: the upstream may have changed something. */
  | { kind: 'access-ended'; mayHaveRun: boolean }
  /** The same before anything was sent. */
  | { kind: 'cut-off' }
  /** The gateway itself has failed while the request was at the upstream. */
  | { kind: 'broken'; error: unknown };

export type Ending = ToolEnding | RequestEnding;

/** `within` is the only integration that was looked in. */
export interface NotFound {
  kind: 'tool-not-found';
  tool: string;
  integration: string | null;
  within: Integration | null;
  account?: undefined;
}

export type Outcome = NotFound | (ToolEnding & Names);
