// Routes of the portal that connect an integration: by provider, by key, by cookies, by link. reference: Connecting an integration
import { Hono } from 'hono';
import * as z from 'zod';
import type { Identify } from '../auth/caller.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { SESSION_HEADER, type SessionKeys } from '../auth/session-key.ts';
import type { CookieLogins } from './cookies/cookie-login.ts';
import type { Egress } from '../egress/door.ts';
import type { OAuthFlows } from './oauth/oauth-flows.ts';
import type { Ports } from '../ports/ports.ts';
import type { Registry } from '../kit/registry.ts';
import type { Vault } from './vault.ts';
import { readJsonBody } from '../http/request-body.ts';
import { HttpError } from '../http/errors.ts';
import { sendFailure } from '../http/page.ts';
import { describeIssues } from '../kit/validation.ts';
import { formFields, readValues } from './api-key.ts';
import { configAt, INSTANCE } from './config.ts';
import { findInstance, readInstance } from './instance.ts';
import { requireAuth, requireIntegration } from './require-integration.ts';

type Needs = Pick<Ports, 'config' | 'store'> & {
  cookieLogins: CookieLogins;
  egress: Egress;
  oauthFlows: OAuthFlows;
  registry: Registry;
  sessionKeys: SessionKeys;
  vault: Vault;
  identify: Identify;
};

const Values = z.object({ values: z.record(z.string(), z.string()) });

export function createConnectRoutes({
  config,
  cookieLogins,
  egress,
  oauthFlows,
  registry,
  sessionKeys,
  store,
  vault,
  identify,
}: Needs): Hono<PortalEnv> {
  const signedIn = requirePortalUser(identify);
  const app = new Hono<PortalEnv>();

  app.get('/api/auth/plugin/:integration/callback', async (c) => {
    const { integration, auth } = requireAuth(registry, c.req.param('integration'), 'oauth2');
    const { displayName } = integration;
    const failed = (sentence: string) =>
      sendFailure(c, 400, {
        title: `${displayName} is not connected`,
        sentence,
        portalUrl: config.PORTAL_URL,
      });
    const { code, state, error, error_description } = c.req.query();
    if (error !== undefined)
      return failed(`${displayName} did not grant access: ${shorten(error_description ?? error)}`);
    if (code === undefined || code === '' || state === undefined || state === '')
      return failed('The sign-in came back without its code or state. Start connecting again.');
    const callerId = await identify(c.req.raw.headers);
    const finished = await oauthFlows.finish(integration, auth, { state, code, callerId });
    if (!finished.ok) return failed(finished.message);
    return c.redirect(`${config.PORTAL_URL}#connected=${integration.name}`, 302);
  });

  app.post('/api/auth/apikey/:integration', signedIn, async (c) => {
    const { integration, auth } = requireAuth(registry, c.req.param('integration'), 'apikey');
    const body = Values.safeParse(await readJsonBody(c));
    if (!body.success) throw badRequest(describeIssues(body.error));
    const { values } = body.data;
    const known = await findInstance(store, c.var.userId, integration);
    const read = readValues(integration, auth, values, known);
    if (!read.ok) throw new HttpError(read.status, { error: read.message });
    // An instance for an integration without instances is refused with a text that names the integration.
    const given = read.config[INSTANCE] ?? values[INSTANCE];
    const instance = await readInstance(integration, given, egress);
    if (!instance.ok) throw badRequest(instance.message);
    await vault.save(c.var.userId, integration.name, {
      accessToken: read.secret,
      config: { ...read.config, ...configAt(instance.instanceUrl) },
    });
    return c.json({ success: true });
  });

  app.get('/api/auth/:integration', signedIn, async (c) => {
    const integration = requireIntegration(registry, c.req.param('integration'));
    const { auth } = integration;
    switch (auth.type) {
      case 'none':
        return c.json({ type: 'none', connected: true });
      case 'apikey': {
        const known = await findInstance(store, c.var.userId, integration);
        return c.json({ type: 'apikey', fields: formFields(integration, auth, known) });
      }
      case 'cookie': {
        await sessionKeys.check(c.var.userId, c.req.header(SESSION_HEADER));
        const login = await cookieLogins.prepare(c.var.userId, integration, auth, c.req.query(INSTANCE));
        if (!login.ok) throw badRequest(login.message);
        return c.json(await cookieLogins.begin(c.var.userId, login));
      }
      case 'oauth2': {
        const started = await oauthFlows.start(c.var.userId, integration, auth, c.req.query(INSTANCE));
        if (!started.ok) throw new HttpError(started.status, { error: started.message });
        return c.json({ type: 'oauth2', url: started.url });
      }
    }
  });

  return app;
}

function badRequest(error: string): HttpError {
  return new HttpError(400, { error });
}

function shorten(text: string): string {
  return text.slice(0, 300);
}
