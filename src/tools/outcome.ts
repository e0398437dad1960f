// Declares how an execution can end. Each surface turns it into its wire form with one exhaustive switch.
import { ErrorCode, ErrorText } from '../http/error-codes.ts';
import { ACCESS_ENDED } from '../http/errors.ts';
import { truncate } from '../json/truncate.ts';
import type { Integration } from '../kit/integration.ts';
import { META_TOOL_NAMES } from '../kit/meta-tool-names.ts';
import type { AccountOwner } from '../ports/records.ts';
import type { ApprovalLink } from '../policy/approvals.ts';
import type { Nearest } from '../search/nearest.ts';

/**
 * `account` is the label of the account that was meant, where the person has several, and of the team connection. `owner`
 * says whose it is, for the audit.
 */
export type Outcome = { account?: string; owner?: AccountOwner } & Ending;

type Ending =
  /** `hint` says why a selection is empty. */
  | { kind: 'success'; integration: string; tool: string; result: unknown; hint?: string }
  /** The tool ran, but `select` could not be applied. A tool that changes something also gives its result, if not too long. */
  | { kind: 'select-failed'; integration: string; tool: string; message: string; result?: unknown }
  /** `within` is the only integration that was looked in. */
  | { kind: 'tool-not-found'; tool: string; integration: string | null; within: Integration | null }
  | { kind: 'invalid-arguments'; integration: string; tool: string; message: string }
  | { kind: 'not-connected'; integration: string; tool: string; message: string }
  /** Nobody may guess which account is meant. */
  | {
      kind: 'no-account';
      integration: string;
      tool: string;
      error: 'AMBIGUOUS_ACCOUNT' | 'UNKNOWN_ACCOUNT';
      message: string;
      accounts: readonly string[];
    }
  /** The person has reached a limit, so nothing was run. */
  | { kind: 'too-many'; integration: string; tool: string; message: string; retryAfterSeconds: number }
  /** The rules or the caller's limits do not allow the call. */
  | { kind: 'blocked'; integration: string; tool: string; message: string }
  /** A person has to approve the call first. */
  | { kind: 'asked'; integration: string; tool: string; message: string; approval: ApprovalLink }
  /** The person has said no to this call. */
  | { kind: 'denied'; integration: string; tool: string; message: string }
  /** The person has lost their access. `mayHaveRun`: a request that changes something was perhaps sent before. */
  | { kind: 'access-ended'; integration: string; tool: string; mayHaveRun: boolean }
  /** A service that the gateway depends on cannot be reached. */
  | { kind: 'unavailable'; integration: string; tool: string; message: string }
  /** `cure` says how the person can fix a connection that the provider no longer accepts. */
  | { kind: 'failed'; integration: string; tool: string; message: string; cure?: string };

export type ExecutionResult =
  | { result: unknown; hint?: string; account?: string }
  | {
      error: string;
      integration: string | null;
      account?: string;
      /** The labels to choose from. */
      accounts?: readonly string[];
      message?: string;
      result?: unknown;
      approval?: ApprovalLink;
    };

/** Makes one entry of `results`, for execute_tools and for REST batches. reference: Execution rules; decision: 032 */
export async function toExecutionResult(
  outcome: Outcome,
  near: () => Promise<Nearest['tools']>,
): Promise<ExecutionResult> {
  const result = await describeEnding(outcome, near);
  return outcome.account === undefined ? result : { ...result, account: outcome.account };
}

async function describeEnding(
  outcome: Ending,
  near: () => Promise<Nearest['tools']>,
): Promise<ExecutionResult> {
  switch (outcome.kind) {
    case 'success':
      return outcome.hint === undefined
        ? { result: outcome.result }
        : { result: outcome.result, hint: outcome.hint };
    case 'tool-not-found':
      return {
        error: ErrorText.TOOL_NOT_FOUND,
        integration: outcome.integration,
        message: truncate(whereToLook(outcome, await near())),
      };
    case 'invalid-arguments':
      return {
        error: ErrorText.INVALID_ARGUMENTS,
        integration: outcome.integration,
        message: outcome.message,
      };
    case 'not-connected':
      return { error: ErrorCode.NOT_CONNECTED, integration: outcome.integration, message: outcome.message };
    case 'no-account': {
      const { error, integration, message, accounts } = outcome;
      return { error, integration, message, accounts };
    }
    case 'too-many':
      return { error: ErrorCode.TOO_MANY_CALLS, integration: outcome.integration, message: outcome.message };
    case 'blocked':
      return { error: ErrorCode.BLOCKED, integration: outcome.integration, message: outcome.message };
    case 'denied':
      return { error: ErrorCode.DENIED, integration: outcome.integration, message: outcome.message };
    case 'access-ended':
      return {
        error: ErrorCode.ACCESS_ENDED,
        integration: outcome.integration,
        message: accessEndedText(outcome),
      };
    case 'asked': {
      const { integration, message, approval } = outcome;
      return { error: ErrorCode.APPROVAL_REQUIRED, integration, message, approval };
    }
    case 'select-failed':
      return {
        error: outcome.message,
        integration: outcome.integration,
        message: SELECT_FAILED,
        ...('result' in outcome ? { result: outcome.result } : {}),
      };
    case 'failed':
      return {
        error: outcome.message,
        integration: outcome.integration,
        ...(outcome.cure === undefined ? {} : { message: outcome.cure }),
      };
    case 'unavailable':
      return { error: outcome.message, integration: outcome.integration };
  }
}

export const accessEndedText = ({ mayHaveRun }: Extract<Outcome, { kind: 'access-ended' }>): string =>
  mayHaveRun ? `${ACCESS_ENDED}. The call had begun, and may have taken effect` : ACCESS_ENDED;

/** A caller that took this for a failed call could repeat a write. */
export const SELECT_FAILED = 'The tool ran and succeeded. Only its result could not be selected from';

type NotFound = Extract<Outcome, { kind: 'tool-not-found' }>;

function whereToLook({ tool, within }: NotFound, nearest: Nearest['tools']): string {
  if (within === null && META_TOOL_NAMES.includes(tool))
    return `"${tool}" is one of the gateway's own tools: it is called directly, not through execute_tools.`;
  const near = nearest(tool, within).join(', ');
  const hint = near === '' ? '' : ` Did you mean ${near}?`;
  if (within !== null)
    return `There is no tool "${tool}" in ${within.name}.${hint} GET /rest/${within.name} lists its tools.`;
  return `No tool is named "${tool}".${hint === '' ? ' Find its name with search_tools.' : hint}`;
}
