// Serves the people of the gateway to administrators. reference: Administration of people
import { Hono } from 'hono';
import { validQuery } from '../kit/valid-query.ts';
import { type AdministratorNeeds, requireAdministrator } from '../auth/administrators.ts';
import type { Identify } from '../kit/actor.ts';
import type { Notify } from '../kit/notice.ts';
import { inLowerCase } from '../auth/email.ts';
import { loadUser, type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { ReadRole } from '../auth/role.ts';
import { ADMINISTRATION_PAGE } from './limits.ts';
import { readForm } from '../kit/read-form.ts';
import type { Ports } from '../ports/ports.ts';
import type { PeopleChanges } from './changes.ts';
import { toPage } from '../kit/cursor.ts';
import type { DescribePerson } from './describe-person.ts';
import {
  ChangeForm,
  InvitationForm,
  type InvitedPerson,
  PeopleQuery,
  type PeoplePage,
  type Person,
  type PersonInFull,
} from './operations.ts';
import { showPerson } from './person.ts';
import { orHttpError, readId, unknownPerson } from './person-errors.ts';

type Needs = Pick<Ports, 'clock' | 'config' | 'store'> &
  AdministratorNeeds & {
    changes: PeopleChanges;
    describePerson: DescribePerson;
    identify: Identify;
    notify: Notify;
    readRole: ReadRole;
  };

const ALL = '/api/admin/people';
const ONE = '/api/admin/people/:id';

export function createPeopleRoutes(deps: Needs): Hono<PortalEnv> {
  const { changes, clock, config, describePerson, identify, notify, readRole, store } = deps;
  const person = requirePortalUser(identify);
  const signedIn = requirePortalUser(identify, { only: 'sessions' });
  const administrator = requireAdministrator(deps);
  const app = new Hono<PortalEnv>();

  app.get(ALL, person, administrator, validQuery(PeopleQuery), async (c) => {
    const { query, cursor } = c.req.valid('query');
    const asked = {
      ...(query === undefined ? {} : { contains: inLowerCase(query.trim()) }),
      ...(cursor === undefined ? {} : { after: cursor }),
      limit: ADMINISTRATION_PAGE + 1,
    };
    const rows = await store.people.page(asked, clock.now());
    const { shown, ...next } = toPage(rows, ADMINISTRATION_PAGE, ({ email }) => email);
    const people = shown.map((row) => showPerson(row, readRole));
    return c.json({ people, ...next } satisfies PeoplePage);
  });

  app.post(ALL, signedIn, administrator, async (c) => {
    const invitation = await readForm(c, InvitationForm);
    const asker = await loadUser(c, deps);
    const invited = await orHttpError(changes.invite(asker, invitation));
    await notify({ kind: 'invitation', userId: invited.id, about: 'invitation', page: '/', name: '' });
    const mailed = config.SMTP_URL === undefined ? {} : { mailed: true as const };
    return c.json({ ...showPerson(invited, readRole), ...mailed } satisfies InvitedPerson, 201);
  });

  app.get(ONE, person, administrator, async (c) => {
    const found = await store.people.get(readId(c), clock.now());
    if (found === null) throw unknownPerson();
    return c.json((await describePerson(found)) satisfies PersonInFull);
  });

  app.patch(ONE, signedIn, administrator, async (c) => {
    const id = readId(c);
    const change = await readForm(c, ChangeForm);
    const asker = await loadUser(c, deps);
    const changed = await orHttpError(changes.change(asker, id, change));
    return c.json(showPerson(changed, readRole) satisfies Person);
  });

  return app;
}
