// The caller's own audit rows, newest first. design: A2
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import * as z from 'zod';
import type { Identify } from '../auth/caller.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { Deps } from '../deps.ts';
import { HttpError } from '../errors.ts';
import { AUDIT_PAGE } from '../limits.ts';
import { describeIssues } from '../validation.ts';

const Query = z.object({
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a nextCursor of an earlier answer')
    .transform(Number)
    .optional(),
  integration: z.string().optional(),
  tool: z.string().optional(),
  success: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
});

export function createAuditRoutes({
  store,
  identify,
}: Pick<Deps, 'store'> & { identify: Identify }): Hono<PortalEnv> {
  const query = zValidator('query', Query, (parsed) => {
    if (!parsed.success) throw new HttpError(400, { error: describeIssues(parsed.error) });
  });

  const app = new Hono<PortalEnv>();
  app.get('/api/audit', requirePortalUser(identify), query, async (c) => {
    const { cursor, ...filter } = c.req.valid('query');
    const before = cursor === undefined ? {} : { before: cursor };
    // One more than a page tells whether there is another.
    const rows = await store.audit.list({
      user_id: c.var.userId,
      ...definedOnly(filter),
      ...before,
      limit: AUDIT_PAGE + 1,
    });
    const entries = rows.slice(0, AUDIT_PAGE);
    const last = entries.at(-1);
    return c.json(
      rows.length > AUDIT_PAGE && last !== undefined ? { entries, nextCursor: String(last.id) } : { entries },
    );
  });
  return app;
}

function definedOnly<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}
