// Serves the export and the deletion of a person, to the person and to administrators.
// reference: Deleting a person; Exporting a person
import { type Context, Hono } from 'hono';
import { type AdministratorNeeds, requireAdministrator } from '../auth/administrators.ts';
import type { Identify } from '../kit/actor.ts';
import { loadUser, type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { HttpError } from '../http/errors.ts';
import { toStream } from '../http/to-stream.ts';
import { readForm } from '../kit/read-form.ts';
import type { Ports } from '../ports/ports.ts';
import type { User } from '../ports/records.ts';
import type { PeopleChanges } from './changes.ts';
import type { ExportPerson } from './export.ts';
import { LeaveForm, type Leaving } from './leaving-operations.ts';
import { orHttpError, readId, unknownPerson } from './person-errors.ts';

export type LeavingNeeds = Pick<Ports, 'log' | 'store'> &
  AdministratorNeeds & { changes: PeopleChanges; exportPerson: ExportPerson; identify: Identify };

const DELETING = { status: 'deleting' } satisfies Leaving;

export function createLeavingRoutes(deps: LeavingNeeds): Hono<PortalEnv> {
  const { changes, exportPerson, identify, log, store } = deps;
  const signedIn = requirePortalUser(identify, { only: 'sessions' });
  const administrator = requireAdministrator(deps);
  const app = new Hono<PortalEnv>();

  function send(c: Context<PortalEnv>, user: User): Response {
    log.write('info', 'a person was exported', { user: c.var.userId, person: user.id });
    const body = toStream(exportPerson(user));
    return c.body(c.var.underWay?.stream(body) ?? body, 200, {
      'Content-Type': 'application/json',
      'Content-Disposition': 'attachment; filename="export.json"',
    });
  }

  app.get('/api/me/export', signedIn, async (c) => send(c, await loadUser(c, deps)));

  app.delete('/api/me', signedIn, async (c) => {
    const user = await loadUser(c, deps);
    const { email } = await readForm(c, LeaveForm);
    if (email !== user.email)
      throw new HttpError(400, { error: `Type ${user.email} to confirm that you want to be deleted.` });
    c.var.underWay?.leave();
    await orHttpError(changes.leave(user));
    return c.json(DELETING, 202);
  });

  app.get('/api/admin/people/:id/export', signedIn, administrator, async (c) => {
    const user = await store.users.byId(readId(c));
    if (user === null || user.service_key_id !== null) throw unknownPerson();
    return send(c, user);
  });

  app.delete('/api/admin/people/:id', signedIn, administrator, async (c) => {
    const id = readId(c);
    await orHttpError(changes.remove(await loadUser(c, deps), id));
    return c.json(DELETING, 202);
  });

  return app;
}
