// Serves what the signed-in person is and uses here, and their own settings. reference: Administration of people
import { type Context, Hono } from 'hono';
import type { Identify } from '../kit/actor.ts';
import { loadUser, type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { CallDetails } from '../record/details/details.ts';
import type { ReadRole } from '../auth/role.ts';
import { readForm } from '../kit/read-form.ts';
import type { Ports } from '../ports/ports.ts';
import type { LimitsOf } from './used-limits.ts';
import { noticesFor } from './notices.ts';
import { type Me, MyChangeForm } from './operations.ts';

export type MeNeeds = Pick<Ports, 'config' | 'store'> & {
  callDetails: Pick<CallDetails, 'isOn'>;
  identify: Identify;
  limitsOf: LimitsOf;
  readRole: ReadRole;
};

export function createMeRoutes(deps: MeNeeds): Hono<PortalEnv> {
  const { callDetails, config, identify, limitsOf, readRole, store } = deps;
  const app = new Hono<PortalEnv>();

  async function showMe(c: Context<PortalEnv>): Promise<Me> {
    const user = await loadUser(c, { store });
    const { id, email, created_at: createdAt, keeps_calls } = user;
    const role = readRole(user);
    const notices = role === 'owner' ? noticesFor(config) : [];
    return {
      id,
      email,
      role,
      createdAt,
      limits: await limitsOf(id),
      callDetails: !callDetails.isOn ? 'disabled' : keeps_calls ? 'kept' : 'off',
      ...(notices.length === 0 ? {} : { notices }),
    };
  }

  app.get('/api/me', requirePortalUser(identify), async (c) => c.json(await showMe(c)));

  app.patch('/api/me', requirePortalUser(identify, { only: 'sessions' }), async (c) => {
    const form = await readForm(c, MyChangeForm);
    await store.callDetails.choose(c.var.userId, form.callDetails === 'kept');
    return c.json(await showMe(c));
  });

  return app;
}
