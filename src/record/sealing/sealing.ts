// What the maintenance does for the audit log in each round: seals new rows, writes the heads elsewhere, prunes old segments.
import type { Egress } from '../../egress/door.ts';
import type { Blobs } from '../../ports/blobs.ts';
import { createDelivery } from './delivery.ts';
import { type AuditKey, importAuditKey } from './key.ts';
import { createPrune } from './prune.ts';
import { createSealer, type SealingLimits, type SealNeeds } from './sealer.ts';

export interface Sealing {
  /** Does nothing without AUDIT_SIGNING_KEY. */
  seal(stop?: AbortSignal): Promise<void>;
  deliver(): Promise<void>;
  prune(stop?: AbortSignal): Promise<void>;
  /** The key that seals, or null. */
  readKey: () => Promise<AuditKey | null>;
}

type Needs = SealNeeds & { egress: Egress; auditHeads?: Blobs | undefined };

export function createSealing(deps: Needs, limits?: SealingLimits): Sealing {
  const { AUDIT_SIGNING_KEY } = deps.config;
  let imported: Promise<AuditKey> | undefined;
  // A request of a Worker needs no key, so it is imported late.
  const readKey = async () =>
    AUDIT_SIGNING_KEY === undefined ? null : (imported ??= importAuditKey(AUDIT_SIGNING_KEY));
  let sealer: ReturnType<typeof createSealer> | undefined;
  return {
    readKey,
    async seal(stop) {
      const key = await readKey();
      if (key !== null) await (sealer ??= createSealer(deps, key, limits))(stop);
    },
    deliver: createDelivery(deps),
    prune: createPrune(deps, readKey),
  };
}

/** Says at a start that nothing is sealed. */
export function warnOfNoSealing({ config, log }: Pick<SealNeeds, 'config' | 'log'>): void {
  if (config.AUDIT_LOG_DEST !== 'database' || config.AUDIT_SIGNING_KEY !== undefined) return;
  log.write('warn', 'audit rows are not sealed', {
    hint: 'Set AUDIT_SIGNING_KEY, for example to the output of "openssl rand -hex 32", on every process',
  });
}
