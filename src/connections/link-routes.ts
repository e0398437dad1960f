// Redeeming a connect link: the session and the link have to be the same person's. spec: Connect-link endpoints
import { Hono } from 'hono';
import * as z from 'zod';
import type { Identify } from '../auth/caller.ts';
import type { Deps } from '../deps.ts';
import { readJsonBody } from '../body.ts';
import { HttpError } from '../errors.ts';
import { requireIntegration } from './connect-routes.ts';
import type { ConnectLink } from './links.ts';

type Needs = Pick<Deps, 'links' | 'oauthFlows' | 'registry'> & { identify: Identify };

const Redeem = z.object({ token: z.string(), instanceUrl: z.string().optional() });
type Redeem = z.infer<typeof Redeem>;

export function createLinkRoutes({ links, oauthFlows, registry, identify }: Needs): Hono {
  // The checks in the specification's order; a link is used up only when all of them hold.
  async function requireLink(headers: Headers, token: string): Promise<ConnectLink> {
    const caller = await identify(headers);
    if (caller === null) throw refuse(401, 'AUTH_REQUIRED', 'Sign in to the portal first.');
    const link = await links.read(token);
    if (link === null)
      throw refuse(401, 'LINK_INVALID', 'This link is not valid or has expired. Ask for a new one.');
    if (link.userId !== caller.userId)
      throw refuse(403, 'ACCOUNT_MISMATCH', 'This link was made for another user of the gateway.');
    return link;
  }

  const app = new Hono();
  app.post('/api/connect/redeem', async (c) => {
    const body = Redeem.safeParse(await readJsonBody(c));
    const { token, instanceUrl }: Redeem = body.data ?? { token: '' };
    const link = await requireLink(c.req.raw.headers, token);
    const integration = requireIntegration(registry, link.integration);
    const { auth } = integration;
    if (auth.type !== 'oauth2')
      throw new HttpError(503, {
        error: `This gateway has no browser to sign in to ${integration.displayName} with`,
      });
    const possible = await oauthFlows.check(integration, auth, instanceUrl);
    if (!possible.ok) throw new HttpError(possible.status, { error: possible.message });
    if (!(await links.consume(link)))
      throw refuse(410, 'LINK_CONSUMED', 'This link has been used already. Ask for a new one.');
    const started = await oauthFlows.start(link.userId, integration, auth, instanceUrl);
    if (!started.ok) throw new HttpError(started.status, { error: started.message });
    return c.json({ type: 'oauth2', url: started.url });
  });
  return app;
}

function refuse(status: 401 | 403 | 410, code: string, message: string): HttpError {
  return new HttpError(status, { error: code, code, message });
}
