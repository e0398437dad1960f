// Serves the form for an API key or a token. reference: API key form
import { Hono } from 'hono';
import type { Identify } from '../../kit/actor.ts';
import { type PortalEnv, requirePortalUser } from '../../auth/portal-user.ts';
import { HttpError } from '../../http/errors.ts';
import { readJsonBody } from '../../http/request-body.ts';
import type { Registries } from '../../kit/registries.ts';
import { describeIssues } from '../../kit/validation.ts';
import { KeyForm, type KeySaved } from './api-key-operations.ts';
import type { KeyForms } from '../model/key-forms.ts';
import { requireIntegration, requireKeyForm } from '../model/require-integration.ts';
import { createRequireOwner, type MayConnectForTeam } from '../model/team.ts';
import { requireWanted } from '../model/wanted-account.ts';

export interface ApiKeyNeeds {
  keyForms: KeyForms;
  mayConnectForTeam: MayConnectForTeam;
  registries: Registries;
  identify: Identify;
}

export function createApiKeyRoutes({
  keyForms,
  mayConnectForTeam,
  registries,
  identify,
}: ApiKeyNeeds): Hono<PortalEnv> {
  const requireOwner = createRequireOwner(mayConnectForTeam);
  const app = new Hono<PortalEnv>();

  app.post('/api/auth/apikey/:integration', requirePortalUser(identify), async (c) => {
    const { userId } = c.var;
    const found = await requireIntegration(registries, userId, c.req.param('integration'));
    const body = KeyForm.safeParse(await readJsonBody(c));
    const account = requireWanted(found, body.data?.account);
    const { integration } = requireKeyForm(found);
    if (!body.success) throw new HttpError(400, { error: describeIssues(body.error) });
    const { values } = body.data;
    const owner = await requireOwner(c.var, integration, body.data);
    const saved = await keyForms.save({ userId, owner, integration, values, account });
    return c.json({ success: true, ...saved } satisfies KeySaved);
  });

  return app;
}
