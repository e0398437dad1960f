// Decides about waiting calls, takes them off the list, and says what became of them.
import { useState } from 'preact/hooks';
import { type Approval, type Decision, decide, decideAll, fetchApproval } from '../../api/approvals.ts';
import { ApiError } from '../../api/client.ts';
import type { RemovedRow } from '../../parts/rows.tsx';
import { useWaiting } from '../../state/use-approvals.ts';
import { approvalsTexts } from '../../texts/approvals.ts';
import { happenedTo, sentenceOf } from './describe.ts';
import type { Names } from './use-names.ts';

const { said } = approvalsTexts;

export interface Deciding {
  /** The text that stands where the decided calls stood in the list. */
  removed: RemovedRow | undefined;
  /** Resolves to what is to be done once no dialog is in the way. */
  one: (approval: Approval, decision: Decision) => Promise<() => void>;
  several: (approvals: readonly Approval[], decision: Decision) => Promise<() => void>;
}

export function useDeciding(names: Names): Deciding {
  const waiting = useWaiting();
  const [removed, setRemoved] = useState<RemovedRow>();

  function take(ids: readonly string[], words: string, isBad: boolean): void {
    const at = waiting.data?.findIndex(({ id }) => ids.includes(id)) ?? 0;
    waiting.change((all) => all.filter(({ id }) => !ids.includes(id)));
    setRemoved({ words, isBad, takesFocus: true, at: Math.max(0, at) });
  }

  /** Somebody has decided in another window, or the time has passed. */
  async function lookAgain(approval: Approval, error: ApiError): Promise<() => void> {
    const { nameOf } = names;
    const name = nameOf(approval.integration);
    const sentence = sentenceOf(approval, name).whole;
    if (error.status === 404) return () => take([approval.id], said.gone(sentence), true);
    const now = await fetchApproval(approval.id);
    if (now.state !== 'pending')
      return () => take([now.id], said.elsewhere(sentence, happenedTo(now, name).text), true);
    // It waits and cannot be decided like this, for example because its arguments can no longer be opened.
    waiting.change((all) => all.map((each) => (each.id === now.id ? now : each)));
    throw error;
  }

  async function one(approval: Approval, decision: Decision): Promise<() => void> {
    try {
      await decide(approval.id, decision);
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || error.status === 409))
        return lookAgain(approval, error);
      throw error;
    }
    const sentence = sentenceOf(approval, names.nameOf(approval.integration)).whole;
    return () => take([approval.id], said[kindOf(decision)](sentence), false);
  }

  async function several(approvals: readonly Approval[], decision: Decision): Promise<() => void> {
    const results = await decideAll(
      approvals.map(({ id }) => id),
      decision,
    );
    const decided = results.flatMap((each) => ('state' in each ? [each.id] : []));
    const [why, ...others] = results.flatMap((each) => ('error' in each ? [each.error] : []));
    return () => {
      const words = decided.length === 0 ? '' : said.several[kindOf(decision)](decided.length);
      const failed = why === undefined ? '' : said.failedSome(others.length + 1, why);
      take(decided, [words, failed].filter((each) => each !== '').join(' '), why !== undefined);
      if (why !== undefined) waiting.reload();
    };
  }

  return { removed, one, several };
}

function kindOf(decision: Decision): 'once' | 'hour' | 'deny' {
  return decision.decision === 'deny' ? 'deny' : decision.for;
}
