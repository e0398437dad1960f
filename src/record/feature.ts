// The record of calls: its rows, their details for a day, their seals, and how much is used by hour and day.
import type { Feature, Round } from '../kit/feature.ts';
import type { Ports } from '../ports/ports.ts';
import { createCallDetails } from './details/details.ts';
import { callOperations } from './details/operations.ts';
import { createCallRoutes } from './details/routes.ts';
import { sealedDetails } from './details/sealed-details.ts';
import { auditOperations } from './operations.ts';
import { createAuditRecorder } from './model/recorder.ts';
import { createAuditRoutes } from './routes.ts';
import { createEraseAudit, type EraseAudit } from './sealing/erasure.ts';
import { sealingOperations } from './sealing/operations.ts';
import { createSealInstrument } from './sealing/instrument.ts';
import { createSealingRoutes } from './sealing/routes.ts';
import { createSealing, type Sealing } from './sealing/sealing.ts';
import { usageOperations } from './usage/operations.ts';
import { pushOperations } from './pushing/operations.ts';
import { createPushInstrument } from './pushing/instrument.ts';
import { type AuditPusher, createAuditPusher } from './pushing/push.ts';
import { createPushRoutes } from './pushing/routes.ts';
import { createCallsOfProducts } from './usage/calls-of-products.ts';
import { createRollUsage, type RollUsage } from './usage/roll.ts';
import { createUsageRoutes } from './usage/routes.ts';

/** Each page of an export is read when the one before it was sent. */
const PAGE = 500;

export const recordFeature = {
  name: 'record',
  parts: {
    audit: createAuditRecorder,
    callDetails: createCallDetails,
    eraseAudit: (deps: Pick<Ports, 'clock' | 'digest' | 'store'> & { sealing: Sealing }) =>
      createEraseAudit(deps, deps.sealing.readKey),
    rollUsage: createRollUsage,
    auditPusher: createAuditPusher,
    callsOfProducts: createCallsOfProducts,
    sealing: createSealing,
  },
  routes: {
    portal: [createAuditRoutes, createCallRoutes, createPushRoutes, createSealingRoutes, createUsageRoutes],
  },
  operations: [auditOperations, callOperations, pushOperations, sealingOperations, usageOperations],
  chores: (
    { auditPusher, rollUsage, sealing }: { auditPusher: AuditPusher; rollUsage: RollUsage; sealing: Sealing },
    { stop }: Round,
  ) => ({
    usage: () => rollUsage.round(stop),
    'audit seals': () => sealing.seal(stop),
    'audit heads': () => sealing.deliver(),
    'audit push': () => auditPusher.push(stop),
    'old audit segments': () => sealing.prune(stop),
  }),
  instruments: (deps: Parameters<typeof createSealInstrument>[0] & { auditPusher: AuditPusher }) => {
    const readPush = createPushInstrument(deps.auditPusher);
    const readSeal = createSealInstrument(deps);
    return async () => [await readSeal(), ...(await readPush())];
  },
  sealed: [sealedDetails],
  personal: {
    export:
      ({ store }: Pick<Ports, 'store'>) =>
      ({ id }) => ({ calls: () => listCalls(store, id) }),
    rename:
      ({ clock, eraseAudit }: Pick<Ports, 'clock'> & { eraseAudit: EraseAudit }) =>
      async (userIds, pseudonym) => {
        while (await eraseAudit(userIds, pseudonym)) await clock.turn();
      },
  },
} satisfies Feature;

async function* listCalls(store: Ports['store'], userId: string): AsyncGenerator<object, void, undefined> {
  for (let before: number | undefined; ;) {
    const rows = await store.audit.list({ user_id: userId, before, limit: PAGE });
    for (const { user_id: _, details: __, ...row } of rows) yield row;
    before = rows.at(-1)?.id;
    if (rows.length < PAGE) return;
  }
}
