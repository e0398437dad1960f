// Heeds what the answer to a raw request says of the credential. The caller has its answer, so nobody waits for this.
import type { TokenSource } from '../connections/oauth/tokens.ts';
import type { StateUpdates } from '../connections/state-updates.ts';
import { describe } from '../http/errors.ts';
import type { Integration, KnownCaller } from '../kit/integration.ts';
import type { Ports } from '../ports/ports.ts';
import type { Connection } from '../ports/records.ts';
import type { Destined } from './find-destination.ts';
import type { Relayed } from './wire.ts';

export interface HeedAnswer {
  /** Notes in the connection how its credential does. */
  standing(relayed: Relayed, integration: Integration, connection: Connection): Promise<void>;
  /** Renews the token that was refused, for the next call. */
  renew(caller: KnownCaller, integration: Integration, destined: Destined): Promise<void>;
}

export type HeedNeeds = Pick<Ports, 'log'> & { stateUpdates: StateUpdates; tokens: TokenSource };

export function createHeedAnswer({ log, stateUpdates, tokens }: HeedNeeds): HeedAnswer {
  return {
    async standing(relayed, integration, connection) {
      if (relayed.kind !== 'answered') return;
      const current = relayed.noted === null ? connection : await relayed.noted;
      if (relayed.status === 401) await stateUpdates.refused(current, integration);
      else if (relayed.status < 300) await stateUpdates.worked(current, integration);
    },

    async renew({ requestId }, integration, { connection, credential }) {
      try {
        const renewed = await tokens.renew(connection, integration, credential);
        if (renewed.kind === 'dead') await stateUpdates.refused(connection, integration);
      } catch (error) {
        log.write('warn', 'token was not renewed', {
          requestId,
          integration: integration.name,
          ...describe(error),
        });
      }
    },
  };
}
