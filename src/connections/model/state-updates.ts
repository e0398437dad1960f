// Writes the state of a credential that a call has shown. decision: 026
import { describe } from '../../http/errors.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Notify } from '../../kit/notice.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Connection } from '../../ports/records.ts';
import { createLru } from '../../memory/lru.ts';
import { nameOf } from './accounts.ts';
import type { Checks } from './checks.ts';
import { markState } from './mark-state.ts';
import { stateAfter, type Verdict } from './state.ts';

export interface StateUpdates {
  /**
   * A call was answered 401, or 403 with words against the credential, and nothing newer is stored. Where the integration
   * has a probe, the probe judges: one place of an API may answer 401 to a good credential. At most five probes of a
   * connection follow calls in a minute. It never throws, and returns whether the person has to reconnect.
   */
  refused(connection: Connection, integration: Integration): Promise<boolean>;
  /** A call has succeeded. It writes only when the row said otherwise, and never throws. */
  worked(connection: Connection, integration: Integration): Promise<void>;
}

type Needs = Pick<Ports, 'clock' | 'log' | 'store'> & { checks: Pick<Checks, 'now'>; notify: Notify };

const MAX_PROBES = 5;
const MAX_COUNTED = 10_000;
const WINDOW_SECONDS = 60;

export function createStateUpdates({ checks, clock, log, notify, store }: Needs): StateUpdates {
  /** Counts the probes after calls for each connection. */
  const probes = createLru<{ count: number; until: number }>(MAX_COUNTED);

  function mayProbe(connection: Connection): boolean {
    const name = nameOf(connection);
    const now = clock.now();
    const counted = probes.get(name);
    const { count, until } =
      counted !== undefined && counted.until > now ? counted : { count: 0, until: now + WINDOW_SECONDS };
    if (count >= MAX_PROBES) return false;
    probes.set(name, { count: count + 1, until }, 1);
    return true;
  }

  /** A newer credential is never judged by the answer to an older one: then the row has changed. */
  async function write(connection: Connection, verdict: Verdict): Promise<void> {
    const { integration, checked_at } = connection;
    const state = stateAfter(connection, verdict, clock.now());
    try {
      await markState({ notify, store }, connection, { ...state, checked_at });
    } catch (error) {
      log.write('warn', 'the status of a connection was not stored', { integration, ...describe(error) });
    }
  }

  async function askProbe(connection: Connection, integration: Integration): Promise<boolean> {
    const { user_id, account } = connection;
    try {
      // A refresh that failed has written why, which says more than a probe would.
      const current = await store.connections.get(user_id, integration.name, account);
      if (current === null || current.status === 'reconnect') return current !== null;
      if (!mayProbe(connection)) return false;
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
