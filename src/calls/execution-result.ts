// Turns how an execution ended into an entry of `results`, for execute_tools and for REST batches.
import { ErrorCode, ErrorText } from '../http/error-codes.ts';
import { ACCESS_ENDED } from '../http/errors.ts';
import { truncate } from '../json/truncate.ts';
import type { ApprovalLink } from '../policy/model/approvals.ts';
import type { ScriptNote } from '../kit/integration.ts';
import { META_TOOL_NAMES } from '../kit/meta-tool-names.ts';
import type { Nearest } from '../search/nearest.ts';
import type { NotFound, Outcome } from './outcome.ts';

export type ExecutionResult =
  | {
      result: unknown;
      hint?: string;
      account?: string;
      replayed?: true;
      script?: ScriptNote;
      redacted?: Redacted;
    }
  | {
      error: string;
      integration: string | null;
      account?: string;
      /** The labels to choose from. */
      accounts?: readonly string[];
      message?: string;
      result?: unknown;
      redacted?: Redacted;
      approval?: ApprovalLink;
      /** The call ran before, and not again. */
      replayed?: true;
      script?: ScriptNote;
    };

/** What the rules have taken out of the result, by kind. */
type Redacted = Readonly<Record<string, number>>;

/**
 * Makes one entry of `results`, for execute_tools and for REST batches. A failed call is a result, because agents read errors
 * and try again. reference: Execution rules
 */
export function toExecutionResult(
  outcome: Outcome,
  near: () => Promise<Nearest['tools']>,
): ExecutionResult | Promise<ExecutionResult> {
  if (outcome.kind === 'tool-not-found') return describeUnknown(outcome, near);
  const result = describeEnding(outcome);
  const named = outcome.account === undefined ? result : { ...result, account: outcome.account };
  const clean = 'redacted' in outcome ? { ...named, redacted: outcome.redacted } : named;
  const told = 'replayed' in outcome ? { ...clean, replayed: true as const } : clean;
  return 'script' in outcome && outcome.script !== undefined ? { ...told, script: outcome.script } : told;
}

async function describeUnknown(
  outcome: NotFound,
  near: () => Promise<Nearest['tools']>,
): Promise<ExecutionResult> {
  return {
    error: ErrorText.TOOL_NOT_FOUND,
    integration: outcome.integration,
    message: truncate(whereToLook(outcome, await near())),
  };
}

function describeEnding(outcome: Exclude<Outcome, NotFound>): ExecutionResult {
  switch (outcome.kind) {
    case 'success':
      return outcome.hint === undefined
        ? { result: outcome.result }
        : { result: outcome.result, hint: outcome.hint };
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
    case 'not-repeated':
      return { error: outcome.error, integration: outcome.integration, message: outcome.message };
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

export const accessEndedText = ({ mayHaveRun }: { mayHaveRun: boolean }): string =>
  mayHaveRun ? `${ACCESS_ENDED}. The call had begun, and may have taken effect` : ACCESS_ENDED;

/** A caller that took this for a failed call could repeat a write. */
export const SELECT_FAILED = 'The tool ran and succeeded. Only its result could not be selected from';

function whereToLook({ tool, within }: NotFound, nearest: Nearest['tools']): string {
  if (within === null && META_TOOL_NAMES.includes(tool))
    return `"${tool}" is one of the gateway's own tools: it is called directly, not through execute_tools.`;
  const near = nearest(tool, within).join(', ');
  const hint = near === '' ? '' : ` Did you mean ${near}?`;
  if (within !== null)
    return `There is no tool "${tool}" in ${within.name}.${hint} GET /rest/${within.name} lists its tools.`;
  return `No tool is named "${tool}".${hint === '' ? ' Find its name with search_tools.' : hint}`;
}
