// An audit log with a sealer, on any database, and what somebody with access to the database may do to it.
import { CompiledQuery } from 'kysely';
import type { Engine } from '../../drivers/sql/engine.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { createNodeDigest } from '../../drivers/system/node-digest.ts';
import { createSystemRandom } from '../../drivers/system/random.ts';
import { createEraseAudit } from '../../src/record/sealing/erasure.ts';
import { readGivenHeads } from '../../src/record/sealing/given-heads.ts';
import { importAuditKey, type PublicAuditKey } from '../../src/record/sealing/key.ts';
import { createPrune } from '../../src/record/sealing/prune.ts';
import { createSealer, type SealingLimits } from '../../src/record/sealing/sealer.ts';
import { type Verified, verifyAudit } from '../../src/record/sealing/verify.ts';
import { readConfig } from '../../src/config/config.ts';
import type { AuditEntry } from '../../src/ports/records.ts';
import { entry, NOW } from '../contracts/store/records.ts';
import type { OpenEngine } from '../contracts/store/open.ts';
import { createFakeClock } from './fake-clock.ts';

export const KEY = await importAuditKey('a1'.repeat(32));
export const OTHER_KEY = await importAuditKey('b2'.repeat(32));
export const LIMITS: SealingLimits = { rows: 10, seconds: 600, segmentsPerRound: 100 };

export type SealedAudit = Awaited<ReturnType<typeof createSealedAudit>>;

interface Options {
  env?: Record<string, string>;
  key?: typeof KEY;
  limits?: SealingLimits;
  now?: number;
}

/** `engine` may be one that fails. Several of these share a database as processes do. */
export function openAudit(
  engine: Engine,
  { env = {}, key = KEY, limits = LIMITS, now = NOW + 1_000 }: Options = {},
) {
  const lines: { event: string; [field: string]: unknown }[] = [];
  const deps = {
    clock: createFakeClock(now),
    config: readConfig({ DATA_DIR: '/nowhere', ...env }, () => 'c3'.repeat(32)),
    digest: createNodeDigest(),
    log: {
      shows: () => true,
      write: (_: string, event: string, fields?: object) => void lines.push({ event, ...fields }),
    },
    random: createSystemRandom(),
    store: createSqlStore(engine),
  };
  const readKey = async () => key;
  return {
    ...deps,
    deps,
    engine,
    lines,
    append: (...rows: AuditEntry[]) => deps.store.audit.append(rows),
    seal: createSealer(deps, key, limits),
    erase: createEraseAudit(deps, readKey),
    prune: createPrune(deps, readKey),
    async verify(keys: readonly PublicAuditKey[] = [key], heads: readonly object[] = []): Promise<Verified> {
      const lines = heads.map((head) => JSON.stringify(head));
      return verifyAudit(deps, keys, await readGivenHeads(lines, keys, deps.digest));
    },
    run: async (statement: string, parameters: (string | number | null)[] = []) =>
      (await engine.run(CompiledQuery.raw(statement, parameters))).rows,
  };
}

/** Seals 25 rows: two full segments and one that is closed because of its age. */
export async function createSealedAudit(open: () => Promise<OpenEngine>, options: Options = {}) {
  const opened = await open();
  const audit = openAudit(opened.engine, options);
  for (let at = 0; at < 25; at++)
    await audit.append(
      entry({
        duration_ms: at,
        error: at % 3 === 0 ? `error ${at}` : null,
        account: at % 4 === 0 ? 'work' : null,
        success: at % 3 !== 0,
      }),
    );
  await audit.seal();
  return { ...audit, close: opened.close };
}

export const kindsOf = ({ problems }: Verified): string[] =>
  problems.map(({ kind, segment, ids }) => [kind, segment ?? [], ids ?? []].flat().join(' '));
