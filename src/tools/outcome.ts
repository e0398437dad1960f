// Declares how an execution can end. Each surface turns it into its wire form with one exhaustive switch.
import { ErrorCode, ErrorText } from '../http/error-codes.ts';
import { truncate } from '../json/truncate.ts';

export type Outcome =
  | { kind: 'success'; integration: string; tool: string; result: unknown }
  | { kind: 'tool-not-found'; tool: string; integration: string | null }
  | { kind: 'invalid-arguments'; integration: string; tool: string; message: string }
  | { kind: 'not-connected'; integration: string; tool: string; message: string }
  /** The person has reached a limit, so nothing was run. */
  | { kind: 'too-many'; integration: string; tool: string; message: string; retryAfterSeconds: number }
  /** A service that the gateway depends on cannot be reached. */
  | { kind: 'unavailable'; integration: string; tool: string; message: string }
  | { kind: 'failed'; integration: string; tool: string; message: string };

export type ExecutionResult =
  | { result: unknown }
  | { error: string; integration: string | null; message?: string };

/** Makes one entry of `results`, for execute_tools and for REST batches. reference: Execution rules; decision: 032 */
export function toExecutionResult(outcome: Outcome): ExecutionResult {
  switch (outcome.kind) {
    case 'success':
      return { result: outcome.result };
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
    case 'unavailable':
    case 'failed':
      return { error: outcome.message, integration: outcome.integration };
  }
}

function whereToLook(tool: string, within: string | null): string {
  return within === null
    ? `No integration has a tool "${tool}". Find its name with search_tools. The gateway's own tools are called directly, not through execute_tools.`
    : `There is no tool "${tool}" in ${within}. GET /rest/${within} lists its tools.`;
}
