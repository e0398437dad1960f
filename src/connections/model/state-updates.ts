// Writes the state of a credential that a call has shown. decision: 026
import { describe } from '../../http/errors.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Connection } from '../../ports/records.ts';
import type { Checks } from './checks.ts';
import { stateAfter, type Verdict } from './state.ts';

export interface StateUpdates {
  /**
   * A call was answered 401, and nothing newer is stored. Where the integration has a probe, the probe judges: one place
   * of an API may answer 401 to a good credential. It never throws, and returns whether the person has to reconnect.
   */
  refused(connection: Connection, integration: Integration): Promise<boolean>;
  /** A call has succeeded. It writes only when the row said otherwise, and never throws. */
  worked(connection: Connection, integration: Integration): Promise<void>;
}

type Needs = Pick<Ports, 'clock' | 'log' | 'store'> & { checks: Pick<Checks, 'now'> };

export function createStateUpdates({ checks, clock, log, store }: Needs): StateUpdates {
  /** A newer credential is never judged by the answer to an older one: then the row has changed. */
  async function write(connection: Connection, verdict: Verdict): Promise<void> {
    const { integration, checked_at } = connection;
    const state = stateAfter(connection, verdict, clock.now());
    try {
      await store.connections.mark(connection, { ...state, checked_at });
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
