// Says whether the collector of the audit log takes its rows. reference: State of the gateway
import type { Instrument } from '../../kit/instrument.ts';
import type { AuditPusher } from './push.ts';

/** Nothing where no collector is set. */
export function createPushInstrument(auditPusher: AuditPusher): () => Promise<Instrument[]> {
  return async function readPushInstrument() {
    const state = await auditPusher.state();
    if (state === null) return [];
    const { error, kind, pushedAt } = state;
    const at = pushedAt === undefined ? {} : { at: pushedAt };
    if (error !== undefined)
      return [
        {
          name: 'auditPush',
          state: 'bad',
          kind,
          problem: error,
          cure: 'Check AUDIT_PUSH and its collector. Nothing is lost while rows are kept.',
          ...at,
        },
      ];
    return [{ name: 'auditPush', state: pushedAt === undefined ? 'unchecked' : 'good', kind, ...at }];
  };
}
