// Heeds what the answer to a raw request says of the session and of the credential that it was sent with.
import { keepCookies } from '../connections/cookies/keep-cookies.ts';
import type { TokenSource } from '../connections/oauth/tokens.ts';
import { refusesCredential } from '../connections/model/refusal-words.ts';
import type { StateUpdates } from '../connections/model/state-updates.ts';
import type { Vault } from '../connections/model/vault.ts';
import { describe } from '../http/errors.ts';
import type { Integration, KnownCaller } from '../kit/integration.ts';
import type { Ports } from '../ports/ports.ts';
import type { Connection } from '../ports/records.ts';
import type { Destined } from './find-destination.ts';
import type { Relayed } from './wire.ts';

/** Nothing here rejects: a failure is logged, and never fails the call. */
export interface HeedAnswer {
  /** Keeps the cookies that the upstream sets, and returns the connection as it is then. */
  cookies(
    caller: KnownCaller,
    integration: Integration,
    destined: Destined,
    lines: readonly string[],
  ): Promise<Connection>;
  /** Notes in the connection how its credential does. The caller has its answer, so nobody waits for this. */
  state(relayed: Relayed, integration: Integration, connection: Connection): Promise<void>;
  /** Renews the token that was refused, for the next call. */
  renew(caller: KnownCaller, integration: Integration, destined: Destined): Promise<void>;
}

export type HeedNeeds = Pick<Ports, 'clock' | 'log' | 'store'> & {
  stateUpdates: StateUpdates;
  tokens: TokenSource;
  vault: Vault;
};

export function createHeedAnswer(deps: HeedNeeds): HeedAnswer {
  const { log, stateUpdates, tokens } = deps;

  const warn = ({ requestId }: KnownCaller, { name }: Integration, event: string, error: unknown): void =>
    log.write('warn', event, { requestId, integration: name, ...describe(error) });

  return {
    async cookies(caller, integration, { connection, credential, destination }, lines) {
      const url = destination.declared;
      try {
        return await keepCookies(deps, { integration, connection, credential, url, lines });
      } catch (error) {
        warn(caller, integration, 'cookies were not kept', error);
        return connection;
      }
    },

    async state(relayed, integration, connection) {
      if (relayed.kind !== 'answered') return;
      const current = (await relayed.noted) ?? connection;
      const { refusal, status } = relayed;
      const isAgainst = refusal !== undefined && refusesCredential(refusal, integration);
      if (status === 401 || isAgainst) await stateUpdates.refused(current, integration);
      else if (status < 300) await stateUpdates.worked(current, integration);
    },

    async renew(caller, integration, { connection, credential }) {
      try {
        const renewed = await tokens.renew(connection, integration, credential);
        if (renewed.kind === 'dead') await stateUpdates.refused(connection, integration);
      } catch (error) {
        warn(caller, integration, 'token was not renewed', error);
      }
    },
  };
}
