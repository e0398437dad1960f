// Says how a credential does: what a probe or a call has seen of it. decision: 100
import type { Integration } from '../kit/integration.ts';
import type { Connection, Standing } from '../ports/records.ts';
import type { Ports } from '../ports/ports.ts';
import { describe } from '../http/errors.ts';
import type { Checks } from './check.ts';

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
export const NO_STANDING: Standing = {
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
}: Pick<Standing, 'account_id' | 'account_label'>): { account?: Account } =>
  id === null ? {} : { account: { id, label: label ?? id } };

/** The standing after a verdict. `before` is null for a new connection. */
export function standingAfter(before: Standing | null, verdict: Verdict, now: number): Standing {
  const { account_id, account_label, ...was } = before ?? NO_STANDING;
  const become = (status: NonNullable<Standing['status']>, cause: string | null): Standing => ({
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

/** The standing of a new connection whose integration has no probe. */
export function standingUnchecked(
  { auth, displayName }: Pick<Integration, 'auth' | 'displayName'>,
  way: 'oauth2' | 'token' | 'apikey' | 'cookie',
  label: string | undefined,
  now: number,
): Standing {
  const account = label === undefined ? null : { id: label, label };
  // The provider has just granted it.
  if (way === 'oauth2') return standingAfter(null, { kind: 'ok', account }, now);
  const what = auth.type === 'cookie' ? 'session' : way === 'token' ? 'token' : 'key';
  const reason = `The gateway cannot check a ${what} of ${displayName}. The first call will show whether it works.`;
  return { ...standingAfter(null, { kind: 'unclear', reason }, now), checked_at: null };
}

export interface Standings {
  /**
   * A call was answered 401, and nothing newer is stored. Where the integration has a probe, the probe judges: one place
   * of an API may answer 401 to a good credential. It never throws, and returns whether the person has to reconnect.
   */
  refused(connection: Connection, integration: Integration): Promise<boolean>;
  /** A call has succeeded. It writes only when the row said otherwise, and never throws. */
  worked(connection: Connection, integration: Integration): Promise<void>;
}

type Needs = Pick<Ports, 'clock' | 'log' | 'store'> & { checks: Pick<Checks, 'now'> };

export function createStandings({ checks, clock, log, store }: Needs): Standings {
  /** A newer credential is never judged by the answer to an older one: then the row has changed. */
  async function write(connection: Connection, verdict: Verdict): Promise<void> {
    const { integration, checked_at } = connection;
    const standing = standingAfter(connection, verdict, clock.now());
    try {
      await store.connections.mark(connection, { ...standing, checked_at });
    } catch (error) {
      log.write('warn', 'the status of a connection was not stored', { integration, ...describe(error) });
    }
  }

  async function askProbe({ user_id, account }: Connection, integration: Integration): Promise<boolean> {
    try {
      // A refresh that failed has written why, which says more than a probe would.
      const current = await store.connections.get(user_id, integration.name, account);
      if (current === null || current.status === 'reconnect') return current !== null;
      return (
        (await checks.now({ user_id, integration: integration.name, account }, integration))?.status ===
        'reconnect'
      );
    } catch (error) {
      log.write('warn', 'a connection was not checked', {
        integration: integration.name,
        ...describe(error),
      });
      return false;
    }
  }

  return {
    async refused(connection, integration) {
      if (connection.status === 'reconnect') return true;
      if (integration.probe !== undefined) return askProbe(connection, integration);
      const reason = `${integration.displayName} answered a call with 401: it does not accept the stored credential any more.`;
      await write(connection, { kind: 'refused', reason });
      return true;
    },

    async worked(connection, integration) {
      if (connection.status === 'ok' || answersStrangers(integration)) return;
      // The call may have asked for something public, so what a probe has refused only a probe accepts again.
      if (connection.status === 'reconnect' && integration.probe !== undefined) return;
      await write(connection, { kind: 'ok', account: null });
    },
  };
}

/** A success proves nothing where the API also answers people who are not signed in. */
function answersStrangers({ auth, probe }: Integration): boolean {
  return auth.type === 'cookie' || probe?.anonymous !== undefined;
}
