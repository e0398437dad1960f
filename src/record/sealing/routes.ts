// Serves the sealed segments of the audit log, and the key that checks them, to administrators. reference: Audit segments
import { Hono } from 'hono';
import { type AdministratorNeeds, requireAdministrator } from '../../auth/administrators.ts';
import type { Identify } from '../../kit/actor.ts';
import { type PortalEnv, requirePortalUser } from '../../auth/portal-user.ts';
import { AUDIT_SEGMENTS_PAGE } from '../model/limits.ts';
import { HttpError } from '../../http/errors.ts';
import type { Ports } from '../../ports/ports.ts';
import { validQuery } from '../../kit/valid-query.ts';
import { signedHead } from './head.ts';
import { type AuditPublicKey, type AuditSegments, SegmentsQuery } from './operations.ts';
import type { Sealing } from './sealing.ts';

type Needs = Pick<Ports, 'store'> & AdministratorNeeds & { identify: Identify; sealing: Sealing };

export function createSealingRoutes(deps: Needs): Hono<PortalEnv> {
  const { identify, sealing, store } = deps;
  const person = requirePortalUser(identify);
  const administrator = requireAdministrator(deps);
  const app = new Hono<PortalEnv>();

  app.get('/api/admin/audit/segments', person, administrator, validQuery(SegmentsQuery), async (c) => {
    const { cursor } = c.req.valid('query');
    const found = await store.auditSegments.latest(cursor, AUDIT_SEGMENTS_PAGE + 1);
    const shown = found.slice(0, AUDIT_SEGMENTS_PAGE);
    const last = found.length > AUDIT_SEGMENTS_PAGE ? shown.at(-1) : undefined;
    const segments = shown.map((segment) => ({
      ...signedHead(segment),
      ...(segment.pruned_at === null ? {} : { prunedAt: segment.pruned_at }),
    }));
    const next = last === undefined ? {} : { nextCursor: String(last.segment) };
    return c.json({ segments, ...next } satisfies AuditSegments);
  });

  app.get('/api/admin/audit/key', person, administrator, async (c) => {
    const key = await sealing.readKey();
    if (key === null) throw new HttpError(404, { error: 'This gateway does not seal its audit log.' });
    const { id, publicKey } = key;
    return c.json({ id, publicKey } satisfies AuditPublicKey);
  });

  return app;
}
