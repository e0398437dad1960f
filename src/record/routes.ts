// Serves the caller's own audit rows, newest first. decision: 036
import { Hono } from 'hono';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { Ports } from '../ports/ports.ts';
import { type Identify, isAgentKey } from '../kit/actor.ts';
import type { CallDetails } from './details/details.ts';
import { exportAudit } from './model/export.ts';
import { createCountCalls } from './model/histogram.ts';
import type { AuditAsked } from './model/look.ts';
import {
  AuditExportQuery,
  AuditFailuresQuery,
  type AuditFailuresPage,
  type AuditFilter,
  type AuditHistogram,
  AuditHistogramQuery,
  type AuditPage,
  AuditQuery,
} from './model/row-schemas.ts';
import { createReadAuditFailures, createReadAuditPage, filterOf } from './model/page.ts';
import { validQuery } from '../kit/valid-query.ts';

/** No caller has this id. */
const NOBODY = '';

export function createAuditRoutes(
  deps: Pick<Ports, 'clock' | 'log' | 'store'> & { callDetails: CallDetails; identify: Identify },
): Hono<PortalEnv> {
  const { callDetails } = deps;
  const readPage = createReadAuditPage(deps);
  const readFailures = createReadAuditFailures(deps);
  const countCalls = createCountCalls(deps);
  const caller = requirePortalUser(deps.identify, { only: 'anyone' });
  const app = new Hono<PortalEnv>();

  app.get('/api/audit', caller, validQuery(AuditQuery), async (c) => {
    const { cursor: before, after, subject, ...filter } = c.req.valid('query');
    const { userId, actor } = c.var;
    const asked = { ...ownRows(c.var, filter), before, after };
    // Arguments are for the person. A named key reads only rows.
    const hasSubjects = subject === 'true' && !isAgentKey(actor);
    const subjectsOf = (ids: readonly string[]) => callDetails.subjects(userId, ids);
    return c.json((await readPage(asked, hasSubjects ? subjectsOf : undefined)) satisfies AuditPage);
  });

  app.get('/api/audit/failures', caller, validQuery(AuditFailuresQuery), async (c) => {
    const { cursor: before, ...filter } = c.req.valid('query');
    return c.json((await readFailures({ ...ownRows(c.var, filter), before })) satisfies AuditFailuresPage);
  });

  app.get('/api/audit/histogram', caller, validQuery(AuditHistogramQuery), async (c) => {
    const { offset = 0, ...filter } = c.req.valid('query');
    return c.json((await countCalls(ownRows(c.var, filter), offset)) satisfies AuditHistogram);
  });

  app.get('/api/audit/export', caller, validQuery(AuditExportQuery), (c) => {
    const { format, ...filter } = c.req.valid('query');
    const { body, headers } = exportAudit(deps, { asked: ownRows(c.var, filter), format });
    deps.log.write('info', 'audit rows were exported', { user: c.var.userId });
    return c.body(c.var.underWay?.stream(body) ?? body, 200, headers);
  });

  return app;
}

/** A named key reads about itself alone. */
function ownRows({ userId: user_id, actor }: PortalEnv['Variables'], filter: AuditFilter): AuditAsked {
  const asked = { ...filterOf(filter), user_id };
  if (!isAgentKey(actor)) return asked;
  const isItself = filter.client === undefined || filter.client === actor.id;
  return { ...asked, actor: isItself ? actor.id : NOBODY };
}
