// Declares how an execution can end. Each surface turns it into its wire form with one exhaustive switch.
import { ErrorCode, ErrorText } from '../http/error-codes.ts';
import { truncate } from '../json/truncate.ts';

export type Outcome =
  /** `hint` says why a selection is empty. */
  | { kind: 'success'; integration: string; tool: string; result: unknown; hint?: string }
  /** The tool ran, but `select` could not be applied. A tool that changes something also gives its result, if not too long. */
  | { kind: 'select-failed'; integration: string; tool: string; message: string; result?: unknown }
  | { kind: 'tool-not-found'; tool: string; integration: string | null }
  | { kind: 'invalid-arguments'; integration: string; tool: string; message: string }
  | { kind: 'not-connected'; integration: string; tool: string; message: string }
  /** The person has reached a limit, so nothing was run. */
  | { kind: 'too-many'; integration: string; tool: string; message: string; retryAfterSeconds: number }
  /** A service that the gateway depends on cannot be reached. */
  | { kind: 'unavailable'; integration: string; tool: string; message: string }
  /** `cure` says how the person can mend a connection that the provider no longer accepts. */
  | { kind: 'failed'; integration: string; tool: string; message: string; cure?: string };

export type ExecutionResult =
  | { result: unknown; hint?: string }
  | { error: string; integration: string | null; message?: string; result?: unknown };

/** Makes one entry of `results`, for execute_tools and for REST batches. reference: Execution rules; decision: 032 */
export function toExecutionResult(outcome: Outcome): ExecutionResult {
  switch (outcome.kind) {
    case 'success':
      return outcome.hint === undefined
        ? { result: outcome.result }
        : { result: outcome.result, hint: outcome.hint };
    case 'tool-not-found':
      return {
        error: ErrorText.TOOL_NOT_FOUND,
        integration: outcome.integration,
        message: truncate(whereToLook(outcome.tool, outcome.integration)),
      };
    case 'invalid-arguments':
      return {
        error: ErrorText.INVALID_ARGUMENTS,
        integration: outcome.integration,
        message: outcome.message,
      };
    case 'not-connected':
      return { error: ErrorCode.NOT_CONNECTED, integration: outcome.integration, message: outcome.message };
    case 'too-many':
      return { error: ErrorCode.TOO_MANY_CALLS, integration: outcome.integration, message: outcome.message };
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

/** A caller that took this for a failed call could repeat a write. */
export const SELECT_FAILED = 'The tool ran and succeeded. Only its result could not be selected from';

function whereToLook(tool: string, within: string | null): string {
  return within === null
    ? `No integration has a tool "${tool}". Find its name with search_tools. The gateway's own tools are called directly, not through execute_tools.`
    : `There is no tool "${tool}" in ${within}. GET /rest/${within} lists its tools.`;
}
