// Shows administrators how far the audit log was sent. reference: Audit push
import { Hono } from 'hono';
import { type AdministratorNeeds, requireAdministrator } from '../../auth/administrators.ts';
import { type PortalEnv, requirePortalUser } from '../../auth/portal-user.ts';
import { HttpError } from '../../http/errors.ts';
import type { Identify } from '../../kit/actor.ts';
import type { AuditPusher } from './push.ts';

type Needs = AdministratorNeeds & { auditPusher: AuditPusher; identify: Identify };

export function createPushRoutes(deps: Needs): Hono<PortalEnv> {
  const app = new Hono<PortalEnv>();
  app.get(
    '/api/admin/audit/push',
    requirePortalUser(deps.identify),
    requireAdministrator(deps),
    async (c) => {
      const state = await deps.auditPusher.state();
      if (state === null) throw new HttpError(404, { error: 'This gateway sends its audit log nowhere.' });
      return c.json(state);
    },
  );
  return app;
}
