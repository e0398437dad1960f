// The step in which a person approves a call. Of an approval exactly one run begins, and its end is noted once.
// reference: Approvals; decision: 116
import { describe } from '../http/errors.ts';
import type { KnownCaller } from '../kit/integration.ts';
import { approvalIdOf, type Entry, type RunEnd } from '../policy/approvals.ts';
import type { Ports } from '../ports/ports.ts';
import type { Approved, Ended, Entered } from './effect.ts';
import type { Refusal } from './outcome.ts';

/** `approval` is the id of the approval that the call is about. */
type Asked = { approval: string | null } & ({ approved: Approved } | Ended<never>);

export type Approve = (caller: Pick<KnownCaller, 'requestId'>, entered: Entered) => Asked;

export function createApprove({ log }: Pick<Ports, 'log'>): Approve {
  /** A store that fails now leaves the run to be found as lost: the answer of the call is worth more than this note. */
  async function finishRun(entry: Run, end: RunEnd, requestId: string | undefined): Promise<void> {
    try {
      await entry.finish(end);
    } catch (error) {
      log.write('error', 'the end of an approved call was not noted', { requestId, ...describe(error) });
    }
  }

  return function approve({ requestId }, { entry, body = null }) {
    const approval = approvalIdOf(entry);
    if (entry.kind !== 'run') return { approval, ending: refusalOf(entry) };
    let finished: Promise<void> | undefined;
    const finish = (end: RunEnd) => (finished ??= finishRun(entry, end, requestId));
    return { approval, approved: { id: entry.approvalId, body, finish } };
  };
}

type Run = Extract<Entry, { kind: 'run' }>;

function refusalOf(entry: Exclude<Entry, Run>): Refusal {
  switch (entry.kind) {
    case 'asked':
      return entry;
    case 'denied':
      return { kind: 'denied', message: entry.message };
    case 'refused':
      // Nobody was asked, so the call stays forbidden.
      return { kind: 'blocked', message: entry.message };
  }
}
