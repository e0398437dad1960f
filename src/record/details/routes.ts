// Serves a single call: to its person with its arguments and result, and to administrators without. reference: Call details
import { Hono } from 'hono';
import type { AdministratorNeeds } from '../../auth/administrators.ts';
import type { Identify } from '../../kit/actor.ts';
import { type PortalEnv, requirePortalUser } from '../../auth/portal-user.ts';
import { HttpError } from '../../http/errors.ts';
import type { Ports } from '../../ports/ports.ts';
import type { User } from '../../ports/records.ts';
import { type AuditRow, showEntry } from '../model/page.ts';
import type { CallDetails } from './details.ts';
import type { OneCall } from './operations.ts';

type Needs = Pick<Ports, 'log' | 'store'> &
  AdministratorNeeds & { callDetails: CallDetails; identify: Identify };

/** The ids of rows count up from 1. Longer numbers would not be exact. */
const ROW_ID = /^[1-9]\d{0,14}$/;

export function createCallRoutes(deps: Needs): Hono<PortalEnv> {
  const { callDetails, identify, isAdministrator, log, store } = deps;
  const app = new Hono<PortalEnv>();

  async function findRow(id: string): Promise<AuditRow | null> {
    return ROW_ID.test(id) ? store.audit.get(Number(id)) : null;
  }

  async function readDetails(row: AuditRow, person: User): Promise<OneCall['details']> {
    if (row.user_id !== person.id) return { state: 'private' };
    if (!callDetails.isOn) return { state: 'disabled' };
    const opened = row.details === null ? null : await callDetails.open(person.id, row.details);
    if (opened !== null) return { state: 'kept', ...opened };
    return { state: person.keeps_calls ? 'none' : 'off' };
  }

  app.get('/api/calls/:id', requirePortalUser(identify), async (c) => {
    // Both are read for everybody, so that the time of an answer says nothing about the call of somebody else.
    const [row, person] = await Promise.all([findRow(c.req.param('id')), store.users.byId(c.var.userId)]);
    const isOwn = row?.user_id === c.var.userId;
    if (row === null || person === null || (!isOwn && !isAdministrator(person)))
      throw new HttpError(404, { error: 'There is no such call, or it is not yours' });
    const details = await readDetails(row, person);
    if (isOwn) return c.json({ ...showEntry(row), details } satisfies OneCall);
    log.write('info', 'a call of somebody else was opened', { user: person.id, call: row.id });
    const email = (await store.users.byId(row.user_id))?.email ?? null;
    const user = { id: row.user_id, email };
    return c.json({ ...showEntry(row), user, details } satisfies OneCall);
  });

  return app;
}
