// Says what a call would do, and what became of it.
import type { Approval, ApprovalState } from '../../api/approvals.ts';
import type { LampColour } from '../../parts/lamp.tsx';
import { approvalsTexts } from '../../texts/approvals.ts';

const words = approvalsTexts;

export type DecidedState = Exclude<ApprovalState, 'pending'>;

export const DECIDED_STATES: readonly DecidedState[] = [
  'approved',
  'running',
  'done',
  'failed',
  'unknown',
  'denied',
  'expired',
];

export interface Sentence {
  /** "Delete in GitHub" */
  act: string;
  /** "delete branch", or the method and path of a raw request */
  what: string;
  whole: string;
}

export function sentenceOf(approval: Approval, displayName: string): Sentence {
  const { access, integration, tool } = approval;
  const act = words.act[access](displayName);
  const what = rawRequestIn(approval) ?? readableName(tool, integration);
  return { act, what, whole: words.sentence(act, what) };
}

/** The method and path of a raw request, whether it came through curl or through a tool. */
function rawRequestIn({ integration, tool, args }: Approval): string | null {
  if (tool.includes(' ')) return tool;
  if (tool !== `${integration}_request`) return null;
  const { method, path } = args ?? {};
  return typeof method === 'string' && typeof path === 'string' ? `${method} ${path}` : null;
}

/** Turns github_delete_branch into "delete branch". */
function readableName(tool: string, integration: string): string {
  const prefix = `${integration}_`;
  const name = tool.startsWith(prefix) ? tool.slice(prefix.length) : tool;
  return name.replaceAll('_', ' ').trim() || tool;
}

/** What a person understands by the state. A denial that is over is stored as expired. */
export function stateOf({ state, decidedAt, covers }: Approval): ApprovalState {
  return state === 'expired' && decidedAt !== null && covers === null ? 'denied' : state;
}

const COLOURS: Record<DecidedState, LampColour> = {
  approved: 'green',
  running: 'amber',
  done: 'green',
  failed: 'red',
  unknown: 'amber',
  denied: 'off',
  expired: 'off',
};

export const colourOf = (state: DecidedState): LampColour => COLOURS[state];

/** `until` follows the words of an approval that still counts. */
export function happenedTo(approval: Approval, displayName: string): { text: string; until: number | null } {
  const { covers, expiresAt } = approval;
  const { happened } = words;
  const plain = (text: string) => ({ text, until: null });
  const state = stateOf(approval);
  switch (state) {
    case 'approved':
      return { text: covers === 'hour' ? happened.hour : happened.approved, until: expiresAt };
    case 'unknown':
      return plain(happened.unknown(displayName));
    case 'expired':
      return plain(expiredText(approval));
    default:
      return plain(happened[state]);
  }
}

function expiredText({ covers, endedAt, expiresAt }: Approval): string {
  const { happened } = words;
  const isEarly = endedAt !== null && endedAt < expiresAt;
  if (isEarly) return covers === null ? happened.ended : happened.endedYes;
  if (covers === null) return happened.expired;
  return covers === 'hour' ? happened.expiredHour : happened.expiredYes;
}
