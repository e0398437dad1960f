// Routes of the portal that connect an integration: by provider, by key and by cookies. reference: Connecting an integration
import { type Context, Hono } from 'hono';
import { getQueryStrings } from 'hono/utils/url';
import { personOf } from '../auth/caller.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { SESSION_HEADER, type SessionKeys } from '../auth/session-key.ts';
import { listCookieIntegrations } from './cookies/cookie-integrations.ts';
import type { CookieLogins } from './cookies/cookie-login.ts';
import type { Confirmations } from './oauth/confirmations.ts';
import { describeDenial } from './oauth/oauth-client.ts';
import { storeGrant } from './oauth/store-grant.ts';
import type { Finished, OAuthFlows } from './oauth/oauth-flows.ts';
import { bindsFlows } from './oauth/returned-flow.ts';
import type { Ports } from '../ports/ports.ts';
import { type ActorLinking, addressAfter, type LiveLink } from '../kit/actor-links.ts';
import type { Integration } from '../kit/integration.ts';
import type { RequireEveryCall } from '../kit/require-every-call.ts';
import { OAUTH_BODY_BYTES } from '../http/limits.ts';
import { readText } from '../http/request-body.ts';
import { HttpError } from '../http/errors.ts';
import { sendFailure, sendPage } from '../http/page.ts';
import { type ApiKeyNeeds, createApiKeyRoutes } from './keys/api-key-routes.ts';
import { formFields } from './keys/api-key.ts';
import { belongsTo, INSTANCE } from './model/config.ts';
import { cancelledPage, confirmPage } from './confirm-page.ts';
import { createFlowCookie, isFromElsewhere } from './model/flow-cookie.ts';
import { findInstance } from './model/instance.ts';
import type { ConnectStart } from './operations.ts';
import { requireAuth, requireIntegration } from './model/require-integration.ts';
import { createRequireOwner } from './model/team.ts';
import { requireWanted } from './model/wanted-account.ts';
import type { Vault } from './model/vault.ts';
import { integrationPage } from './model/ways.ts';
import { EVERYONE } from '../ports/store.ts';

type Needs = Pick<Ports, 'config' | 'random' | 'store'> &
  ApiKeyNeeds & {
    vault: Vault;
    actorLinks: Pick<ActorLinking, 'live' | 'finish'>;
    confirmations: Confirmations;
    cookieLogins: CookieLogins;
    oauthFlows: OAuthFlows;
    requireEveryCall: RequireEveryCall;
    sessionKeys: SessionKeys;
  };

export function createConnectRoutes(deps: Needs): Hono<PortalEnv> {
  const { actorLinks, config, confirmations, cookieLogins, mayConnectForTeam, oauthFlows, random } = deps;
  const { registries, requireEveryCall, sessionKeys, store, vault, identify } = deps;
  const signedIn = requirePortalUser(identify);
  const requireOwner = createRequireOwner(mayConnectForTeam);
  const cookie = createFlowCookie({ config, random });
  const failed = (
    c: Context,
    integration: Integration | null,
    sentence: string,
    title = `${integration?.displayName ?? 'The account'} is not connected`,
    link?: LiveLink | null,
  ) =>
    sendFailure(c, 400, {
      title,
      sentence,
      portalUrl: link ? addressAfter(link, { error: 'failed' }) : config.PORTAL_URL,
      ...(link ? { back: `Back to ${link.product}`, face: link.face } : {}),
    });
  const liveLink = async (id: string | undefined) => (id === undefined ? undefined : actorLinks.live(id));
  /** The link of the sign-in that the provider refused, for the way back to its product. */
  const refusedLink = async (state = '') => liveLink(await oauthFlows.refused(state));
  const toPortal = (c: Context, { name }: Integration) =>
    c.redirect(`${config.PORTAL_URL}#connected=${name}`, 302);
  const app = new Hono<PortalEnv>();

  app.get('/api/auth/plugin/:integration/callback', async (c) => {
    const name = c.req.param('integration');
    const { code, state, error, error_description } = c.req.query();
    const builtIn = registries.builtIn.integration(name);
    const isImport = builtIn === null || builtIn.imported !== undefined;
    if (isImport && state !== undefined && state !== '') return finishImport(c, name);
    const { integration, auth } = requireAuth(builtIn, 'oauth2');
    if (error !== undefined) {
      const link = await refusedLink(state);
      const sentence = describeDenial(integration.displayName, error_description ?? error);
      return failed(c, integration, sentence, undefined, link);
    }
    if (code === undefined || code === '' || state === undefined || state === '')
      return failed(
        c,
        integration,
        'The sign-in came back without its code or state. Start connecting again.',
      );
    return show(c, integration, await oauthFlows.finish(integration, auth, await readCallback(c)));
  });

  // Providers that name themselves in each answer send people of all imports here. decision: 045
  app.get('/api/auth/imports/callback', (c) => finishImport(c, null));

  // One address serves all integrations of a provider's family. decision: 065
  app.get('/api/auth/family/:family/callback', async (c) => {
    const { error, error_description, state } = c.req.query();
    const link = error === undefined ? undefined : await refusedLink(state);
    if (error !== undefined && link)
      return failed(c, null, describeDenial('The provider', error_description ?? error), undefined, link);
    const { integration, finished } = await oauthFlows.finishFamily(
      c.req.param('family'),
      await readCallback(c),
    );
    if (integration !== null) return show(c, integration, finished);
    return failed(c, null, finished.outcome === 'failed' ? finished.message : 'Start connecting again.');
  });

  async function finishImport(c: Context, name: string | null) {
    const { integration, finished } = await oauthFlows.finishImport(name, await readCallback(c));
    if (integration !== null) return show(c, integration, finished);
    return failed(c, null, finished.outcome === 'failed' ? finished.message : 'Start connecting again.');
  }

  const readCallback = async (c: Context) => ({
    parameters: new URLSearchParams(getQueryStrings(c.req.url)),
    callerId: personOf(await identify(c.req.raw.headers)),
    binding: cookie.read(c),
  });

  async function show(c: Context, integration: Integration, finished: Finished) {
    switch (finished.outcome) {
      case 'connected':
        // There the administrator says who may use it.
        if (finished.isForTeam) return c.redirect(integrationPage(integration.name, config), 302);
        return toPortal(c, integration);
      case 'failed':
        return failed(c, integration, finished.message, finished.title);
      case 'unconfirmed': {
        const { grant, account, instanceUrl } = finished;
        const user = await store.users.byId(grant.userId);
        if (user === null)
          return failed(c, integration, 'The user who started this sign-in no longer exists here.');
        const link = (await liveLink(grant.link)) ?? undefined;
        if (grant.link !== undefined && link === undefined) return failed(c, integration, LINK_OVER);
        const id = await confirmations.put(grant, cookie.bind(c));
        const { email } = user;
        const label = grant.wanted?.label;
        const isForTeam = grant.team === true;
        const question = { id, integration, email, account, label, instanceUrl, isForTeam, link, config };
        return sendPage(c, confirmPage(question));
      }
    }
  }

  // The answer to that page, from the browser that was shown it. decision: 025
  app.post('/api/auth/plugin/:integration/confirm', async (c) => {
    const name = c.req.param('integration');
    const found = registries.builtIn.integration(name);
    const builtIn = found && requireAuth(found, 'oauth2').integration;
    const form = new URLSearchParams(await readText(c, OAUTH_BODY_BYTES));
    const grant = isFromElsewhere(c, config.SERVER_PUBLIC_URL)
      ? null
      : await confirmations.take(name, form.get('confirm') ?? '', cookie.read(c));
    // Only the grant says whose import this is.
    const integration = builtIn ?? (grant && (await registries.integration(grant.userId, name)));
    // The import may have been replaced while the person was asked.
    const isOver =
      grant === null ||
      integration === null ||
      !belongsTo({ config: JSON.stringify(grant.connection.config) }, integration);
    if (isOver)
      return failed(
        c,
        integration,
        'This question was not asked in this browser, took too long, or has been answered. Start connecting again.',
      );
    const link = (await liveLink(grant.link)) ?? undefined;
    if (form.get('answer') === 'cancel')
      return sendPage(c, cancelledPage(integration, config.PORTAL_URL, link));
    if (grant.link !== undefined && (link === undefined || !(await actorLinks.finish(grant.link))))
      return failed(c, integration, LINK_OVER, undefined, link);
    const stored = await storeGrant({ mayConnectForTeam, vault }, integration, grant);
    if (link === undefined) return show(c, integration, stored);
    if (stored.outcome === 'connected')
      return c.redirect(addressAfter(link, { connected: integration.name }), 302);
    return failed(c, integration, stored.message, stored.title, link);
  });

  app.route('/', createApiKeyRoutes(deps));

  app.get('/api/auth/:integration', signedIn, async (c) => {
    const integration = await requireIntegration(registries, c.var.userId, c.req.param('integration'));
    const { auth } = integration;
    const account = requireWanted(integration, c.req.query('account'));
    const owner = await requireOwner(c.var, integration, { for: c.req.query('for'), account });
    switch (auth.type) {
      case 'none':
        return c.json({ type: 'none', connected: true } satisfies ConnectStart);
      case 'apikey': {
        const known = await findInstance(store, owner, integration, account);
        const fields = formFields(integration, auth, known);
        return c.json({ type: 'apikey', fields } satisfies ConnectStart);
      }
      case 'cookie': {
        if (owner === EVERYONE) throw badRequest(SESSION_BY_IMPORT);
        await requireEveryCall(c.var, listCookieIntegrations(registries.builtIn));
        await sessionKeys.check(c.var.userId, c.req.header(SESSION_HEADER));
        const given = c.req.query(INSTANCE);
        const login = await cookieLogins.prepare(c.var.userId, integration, auth, given, account);
        if (!login.ok) throw badRequest(login.message);
        return c.json((await cookieLogins.begin(c.var.userId, login)) satisfies ConnectStart);
      }
      case 'oauth2': {
        const binding = bindsFlows(config) ? cookie.bind(c) : null;
        const wish = { instanceUrl: c.req.query(INSTANCE), account, owner };
        const started = await oauthFlows.start(c.var.userId, integration, auth, wish, binding);
        if (!started.ok) throw new HttpError(started.status, { error: started.message });
        return c.json({ type: 'oauth2', url: started.url } satisfies ConnectStart);
      }
    }
  });

  return app;
}

const LINK_OVER =
  'This link was used already, has expired, or may no longer be used. Ask for a new one where you got it.';

const SESSION_BY_IMPORT =
  'The browser of the gateway belongs to one person. Import a session for the team instead: POST /api/integrations/:integration/session/import with for: "team"';

function badRequest(error: string): HttpError {
  return new HttpError(400, { error });
}
