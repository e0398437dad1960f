// Says how a part of a task ends that the gateway does not run. reference: Tasks
import { ErrorCode } from '../../http/error-codes.ts';
import { ACCESS_ENDED } from '../../http/errors.ts';
import { deniedText } from '../../policy/model/approvals.ts';
import type { ApprovalRecord } from '../../ports/policy.ts';
import type { KeptPart } from './kept-batch.ts';

/** The next step of a part. */
export type Step = { kind: 'wait' } | { kind: 'run' } | { kind: 'end'; result: Record<string, unknown> };

const WAIT: Step = { kind: 'wait' };
const RUN: Step = { kind: 'run' };
const AGAIN = 'Send the call again to ask anew';

/** `row` is the approval of the part, whose end was noted if its time is over. Null once it is not kept. */
export function stepOf(part: KeptPart, row: ApprovalRecord | null): Step {
  const { execution, integration, isBegun, script } = part;
  const end = (error: ErrorCode, message: string): Step => ({
    kind: 'end',
    result: { error, integration, message },
  });
  const { tool } = execution;
  if (row === null)
    return isBegun
      ? end(ErrorCode.UNKNOWN_OUTCOME, unknownText(tool))
      : end(ErrorCode.APPROVAL_REQUIRED, `The question about ${tool} is not kept any more. ${AGAIN}`);
  // Its ledger knows what has run, so it goes on whatever came of the call that it waited for.
  if (script !== undefined && row.state !== 'pending' && row.state !== 'running' && row.state !== 'expired')
    return RUN;
  switch (row.state) {
    case 'pending':
    case 'running':
      return WAIT;
    case 'approved':
      // A yes for an hour is used without a claim, so it does not say whether a process that was lost had begun.
      return isBegun && row.covers === 'hour' ? end(ErrorCode.UNKNOWN_OUTCOME, unknownText(tool)) : RUN;
    case 'denied':
      return end(ErrorCode.DENIED, deniedText(row));
    case 'expired':
      return end(
        ErrorCode.APPROVAL_REQUIRED,
        row.decided_at === null
          ? `Nobody said in time whether ${tool} may run, or what it was asked under has changed. It was not run. ${AGAIN}`
          : `The yes to ${tool} ended before it ran. It was not run. ${AGAIN}`,
      );
    case 'unknown':
      return end(ErrorCode.UNKNOWN_OUTCOME, unknownText(tool));
    case 'done':
    case 'failed':
      return isBegun
        ? end(
            ErrorCode.UNKNOWN_OUTCOME,
            `${tool} has run${row.state === 'done' ? '' : ' and failed'}, but the gateway stopped before it kept the result. It was not run twice`,
          )
        : end(
            ErrorCode.APPROVAL_REQUIRED,
            `The approved call of ${tool} has run for another request already. It was not run twice. ${AGAIN}`,
          );
  }
}

const unknownText = (tool: string): string =>
  `The gateway stopped while ${tool} ran. It may have taken effect, and was not run again. Check first`;

export const failedText = ({ execution, integration }: KeptPart): Record<string, unknown> => ({
  error: ErrorCode.UNKNOWN_OUTCOME,
  integration,
  message: `The gateway failed while ${execution.tool} ran. It may have taken effect. Check first`,
});

export const accessEnded = ({ integration }: KeptPart): Record<string, unknown> => ({
  error: ErrorCode.ACCESS_ENDED,
  integration,
  message: ACCESS_ENDED,
});
