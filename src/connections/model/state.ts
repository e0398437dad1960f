// Decides the state of a credential: what a probe or a call has seen of it. decision: 026
import type { Integration } from '../../kit/integration.ts';
import type { CredentialState } from '../../ports/records.ts';
import type { Way } from './ways.ts';

export interface Account {
  /** Never changes at the provider. */
  id: string;
  /** A name that the person recognizes. */
  label: string;
}

export type Verdict =
  | { kind: 'ok'; account: Account | null }
  /** The provider does not accept the credential. */
  | { kind: 'refused'; reason: string }
  /** The provider or the network is in trouble, which says nothing about the credential. */
  | { kind: 'unreachable'; reason: string }
  /** The provider answered, and its answer does not tell whether the credential is good. */
  | { kind: 'unclear'; reason: string };

/** Nothing has been seen of the credential. */
export const UNSEEN: CredentialState = {
  status: null,
  cause: null,
  since: null,
  checked_at: null,
  account_id: null,
  account_label: null,
};

export const accountIn = ({
  account_id: id,
  account_label: label,
}: Pick<CredentialState, 'account_id' | 'account_label'>): { account?: Account } =>
  id === null ? {} : { account: { id, label: label ?? id } };

/** The status that people are shown: `unverified` until something is seen of the credential. */
export const statusOf = ({ status }: Pick<CredentialState, 'status'>): NonNullable<typeof status> =>
  status ?? 'unverified';

/** The state after a verdict. `before` is null for a new connection. */
export function stateAfter(before: CredentialState | null, verdict: Verdict, now: number): CredentialState {
  const { account_id, account_label, ...was } = before ?? UNSEEN;
  const become = (status: NonNullable<CredentialState['status']>, cause: string | null): CredentialState => ({
    status,
    cause,
    since: was.status === status ? (was.since ?? now) : now,
    checked_at: now,
    account_id,
    account_label,
  });
  if (verdict.kind === 'ok') {
    const { account } = verdict;
    const named = account === null ? {} : { account_id: account.id, account_label: account.label };
    return { ...become('ok', null), ...named };
  }
  if (verdict.kind === 'refused') return become('reconnect', verdict.reason);
  // Trouble at the provider does not make a refused credential a better one.
  if (was.status === 'reconnect') return become('reconnect', was.cause);
  const wasGood =
    was.status === 'ok' || was.status === 'unreachable' || (was.status === null && before !== null);
  return become(verdict.kind === 'unreachable' && wasGood ? 'unreachable' : 'unverified', verdict.reason);
}

/** The state of a new connection whose integration has no probe. */
export function stateUnchecked(
  { displayName }: Pick<Integration, 'displayName'>,
  way: Way,
  label: string | undefined,
  now: number,
): CredentialState {
  const account = label === undefined ? null : { id: label, label };
  // The provider has just granted it.
  if (way === 'oauth2') return stateAfter(null, { kind: 'ok', account }, now);
  const reason = `Not tested yet: ${displayName} has no check.`;
  return { ...stateAfter(null, { kind: 'unclear', reason }, now), checked_at: null };
}
