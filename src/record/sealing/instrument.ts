// Says whether the audit log is sealed, and whether the newest seals fit. reference: State of the gateway
import type { Instrument } from '../../kit/instrument.ts';
import type { Ports } from '../../ports/ports.ts';
import { AUDIT_SEGMENT_SECONDS } from '../model/limits.ts';
import { headDigest, headText } from './head.ts';
import type { Sealing } from './sealing.ts';

/** A round seals each minute, so that a full segment is sealed well before. */
const LATE_SECONDS = 3 * AUDIT_SEGMENT_SECONDS;
const VERIFY = 'Run npm run audit -- verify. It names what was changed.';

type Needs = Pick<Ports, 'clock' | 'config' | 'digest' | 'store'> & { sealing: Pick<Sealing, 'readKey'> };

/** Checks the two newest seals only: `npm run audit -- verify` reads every row. */
export function createSealInstrument({
  clock,
  config,
  digest,
  sealing,
  store,
}: Needs): () => Promise<Instrument> {
  const { audit, auditSegments } = store;

  async function isOverdue(after: number): Promise<boolean> {
    const first = await auditSegments.idAfter(after, 1);
    if (first === null) return false;
    const [row] = await audit.list({ user_id: null, before: first + 1, limit: 1 });
    return row !== undefined && clock.now() - row.created_at > LATE_SECONDS;
  }

  async function findProblem(): Promise<{ problem?: string; cure?: string; at?: number }> {
    const key = await sealing.readKey();
    const [newest, before] = await auditSegments.latest(undefined, 2);
    if (newest !== undefined && newest.key === key?.id) {
      if (!(await key.verify(headText(newest), newest.signature)))
        return { problem: 'The newest seal does not fit its rows.', cure: VERIFY };
      if (before !== undefined && newest.previous !== headDigest(before, digest))
        return { problem: 'The newest seal does not follow the one before.', cure: VERIFY };
    }
    if (await isOverdue(newest?.last ?? 0))
      return { problem: 'Rows wait to be sealed.', cure: 'The log says why they are not sealed.' };
    return newest === undefined ? {} : { at: newest.sealed };
  }

  return async function readSealInstrument() {
    if (config.AUDIT_LOG_DEST !== 'database' || config.AUDIT_SIGNING_KEY === undefined)
      return {
        name: 'sealing',
        state: 'off',
        ...(config.AUDIT_LOG_DEST === 'database'
          ? { cure: 'Set AUDIT_SIGNING_KEY, for example to the output of openssl rand -hex 32.' }
          : {}),
      };
    const found = await findProblem();
    // Where nothing is sealed yet, nothing could be checked.
    const sound = found.at === undefined ? 'unchecked' : 'good';
    return { name: 'sealing', state: found.problem === undefined ? sound : 'bad', ...found };
  };
}
