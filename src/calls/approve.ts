// The step in which a person approves a call. Of an approval exactly one run begins, and its end is noted once.
// reference: Approvals; decision: 038
import { describe } from '../http/errors.ts';
import type { KnownCaller } from '../kit/integration.ts';
import { approvalIdOf, type Entry, type RunEnd } from '../policy/model/approvals.ts';
import type { Permissions } from '../policy/model/permissions.ts';
import type { Ports } from '../ports/ports.ts';
import type { Approved, Effect, Ended, Found, Judged } from './effect.ts';
import type { Ending, Refusal } from './outcome.ts';

/** `approval` is the id of the approval that the call is about. */
type Asked<E> = { approval: string | null } & ({ approved: Approved | null } | Ended<E>);

/** For a call that nobody has to approve. */
export const NOT_ASKED: Asked<never> = { approval: null, approved: null };

export type Approve = <J extends Judged, F extends Found, E extends Ending>(
  caller: KnownCaller,
  effect: Pick<Effect<J, F, E>, 'ask'>,
  judged: J,
  found: F,
  permissions: Permissions,
) => Promise<Asked<E>>;

export function createApprove({ log }: Pick<Ports, 'log'>): Approve {
  /** A store that fails now leaves the run to be found as lost: the answer of the call is worth more than this note. */
  async function finishRun(entry: Run, end: RunEnd, requestId: string | undefined): Promise<void> {
    try {
      await entry.finish(end);
    } catch (error) {
      log.write('error', 'the end of an approved call was not noted', { requestId, ...describe(error) });
    }
  }

  return async function approve(caller, effect, judged, found, permissions) {
    const entered = await effect.ask(caller, judged, found, permissions);
    if ('ending' in entered) return { approval: null, ending: entered.ending };
    const { entry, body = null } = entered;
    const approval = approvalIdOf(entry);
    if (entry.kind !== 'run') return { approval, ending: refusalOf(entry, judged.because) };
    let finished: Promise<void> | undefined;
    const finish = (end: RunEnd) => (finished ??= finishRun(entry, end, caller.requestId));
    return { approval, approved: { body, finish } };
  };
}

type Run = Extract<Entry, { kind: 'run' }>;

function refusalOf(entry: Exclude<Entry, Run>, because: string | undefined): Refusal {
  switch (entry.kind) {
    case 'asked':
      return { ...entry, because };
    case 'denied':
      return { kind: 'denied', message: entry.message };
    case 'refused':
      // Nobody was asked, so the call stays forbidden.
      return { kind: 'blocked', message: entry.message };
  }
}
