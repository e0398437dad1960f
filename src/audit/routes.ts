// Serves the caller's own audit rows, newest first. decision: 031
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import type { Identify } from '../auth/caller.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { Ports } from '../ports/ports.ts';
import { isAgentKey } from '../kit/actor.ts';
import { HttpError } from '../http/errors.ts';
import { AUDIT_LOOK, AUDIT_PAGE } from '../config/limits.ts';
import { describeIssues } from '../kit/validation.ts';
import { type AuditPage, AuditQuery } from './operations.ts';

export function createAuditRoutes({
  store,
  identify,
}: Pick<Ports, 'store'> & { identify: Identify }): Hono<PortalEnv> {
  const query = zValidator('query', AuditQuery, (parsed) => {
    if (!parsed.success) throw new HttpError(400, { error: describeIssues(parsed.error) });
  });

  const app = new Hono<PortalEnv>();
  app.get('/api/audit', requirePortalUser(identify, { only: 'anyone' }), query, async (c) => {
    const { cursor: before, ...asked } = c.req.valid('query');
    const { userId, actor } = c.var;
    // A named key reads about itself alone.
    const filter = { ...asked, actor: isAgentKey(actor) ? actor.id : undefined };
    const place = { user_id: userId, before };
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    // A filter may match nothing, so a filtered request reads a bounded number of rows.
    const from = (isFiltered ? await store.audit.down(AUDIT_LOOK, place) : null) ?? undefined;
    // Asks for one row more than a page, to learn whether there is another page.
    const rows = await store.audit.list({ ...place, ...filter, from, limit: AUDIT_PAGE + 1 });
    const shown = rows.slice(0, AUDIT_PAGE);
    const next = rows.length > AUDIT_PAGE ? shown.at(-1)?.id : from;
    const entries = shown.map(({ account, ...row }) => (account === null ? row : { ...row, account }));
    const page: AuditPage = next === undefined ? { entries } : { entries, nextCursor: String(next) };
    return c.json(page);
  });
  return app;
}
