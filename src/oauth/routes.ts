// The authorization server's endpoints. reference: OAuth metadata; Client registration; Authorization requests; Token endpoint; decision: 020, 021, 022
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { getQueryStrings } from 'hono/utils/url';
import { readText } from '../http/request-body.ts';
import { toHex } from '../crypto/encoding.ts';
import type { AccessTokens } from '../auth/access-token.ts';
import type { Ports } from '../ports/ports.ts';
import type { AddressLimits, TooMany } from '../http/address-limits.ts';
import { parseJson } from '../json/json.ts';
import { OAUTH_BODY_BYTES } from '../http/limits.ts';
import { createBindingCookie, createRequestCookies, keepInBrowser } from '../login/binding.ts';
import { HttpError } from '../http/errors.ts';
import { titleOf } from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import { NO_SET, SET_NAME, setAt, setPath } from '../kit/set-address.ts';
import type { Login } from '../login/login.ts';
import { explainLogin } from '../login/outcome.ts';
import { corsFor } from '../http/origins.ts';
import { sendPage, wantsPage } from '../http/page.ts';
import {
  type AuthorizeRequest,
  checkAuthorize,
  explainAuthorize,
  isTooLong,
  type WireError,
} from './authorize.ts';
import type { Clients } from './clients.ts';
import { consentPage, needsConsent } from './consent.ts';
import { readChoice } from './consent-choice.ts';
import type { Grants } from './grants.ts';
import { LANDING } from './landing.ts';
import type { TrustedTokens } from './machines/trusted-token.ts';
import { resourceMetadata, serverMetadata } from './metadata.ts';
import { limitRegistration, readRegistration, registrationAnswer } from './registration.ts';
import { type AuthorizeTickets, redirectBack } from './tickets.ts';
import { createRedeemToken } from './token.ts';
import { explainToken } from './token-outcome.ts';

type Needs = Pick<Ports, 'clock' | 'config' | 'digest' | 'log' | 'random' | 'store'> & {
  accessTokens: AccessTokens;
  clients: Clients;
  grants: Grants;
  addressLimits: AddressLimits;
  login: Login;
  registries: Registries;
  tickets: AuthorizeTickets;
  trustedTokens: TrustedTokens;
};

/** Has the integrations of everyone only. It is the id of no person. */
const NOBODY = '-';
const NOT_ASKED =
  'This question was not asked in this browser, took too long, or has been answered. Please start again in the application.';
const NOT_OFFERED =
  'The answer has a choice that this gateway does not offer here. Please start again in the application.';
const TOO_MANY_CHOSEN =
  'You have chosen more integrations than fit here. Please start again in the application and choose fewer. You can choose more in the portal, under Agents.';

const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

export function createOAuthRoutes(deps: Needs): Hono {
  const {
    addressLimits: limits,
    clock,
    config,
    log,
    random,
    store,
    clients,
    login,
    registries,
    tickets,
  } = deps;
  const base = config.SERVER_PUBLIC_URL;
  const redeemToken = createRedeemToken(deps);
  const cookie = createBindingCookie(config);
  const requestCookies = createRequestCookies(config);
  const app = new Hono();

  // No cookie and no credential of a browser counts here. reference: Web origins; decision: 031
  for (const path of ['/.well-known/*', '/register', '/token'])
    app.use(
      path,
      corsFor(() => true),
    );

  app.get('/.well-known/oauth-protected-resource', (c) => c.json(resourceMetadata(config)));
  app.get('/.well-known/oauth-protected-resource/mcp', (c) => c.json(resourceMetadata(config)));
  // It is the same for a set that does not exist, or belongs to somebody else.
  app.get('/.well-known/oauth-protected-resource/mcp/sets/:name', (c) => {
    const name = c.req.param('name');
    if (!SET_NAME.test(name)) throw new HttpError(404, { error: NO_SET });
    return c.json(resourceMetadata(config, setPath(name)));
  });
  app.get('/.well-known/oauth-authorization-server', async (c) =>
    c.json(serverMetadata(config, await store.machines.any())),
  );

  app.post('/register', async (c) => {
    const body = parseJson(await readText(c, OAUTH_BODY_BYTES));
    const read = limitRegistration(readRegistration(body, base.startsWith('http:')));
    if ('reason' in read) {
      const error: WireError = { error: 'invalid_client_metadata', error_description: read.reason };
      return c.json(error, 400, NO_STORE);
    }
    const client = { client_id: toHex(random.bytes(16)), ...read.registration, created_at: clock.now() };
    await clients.register(client);
    return c.json(registrationAnswer(client), 201, NO_STORE);
  });

  app.get('/authorize', async (c) => {
    const tooMany = limits.check(c, 'sign-in');
    if (tooMany !== null) return refuse(c, 429, busy(tooMany), tooMany.headers);
    limits.count(c, 'sign-in');
    // Reads the query as text, because the Host header may be invalid in a URL.
    const query = new URLSearchParams(getQueryStrings(c.req.url));
    const checked = await checkAuthorize(query, base, clients);
    if ('reason' in checked) return refuse(c, 400, explainAuthorize(checked.reason));
    const { request, client } = checked;
    if (!needsConsent(request.redirect_uri, config)) return signIn(c, request);
    const question = await tickets.ask(request, bind(c));
    const cancelUrl = redirectBack(request, { error: 'access_denied' }, base);
    const { redirect_uri: redirectUri, scope } = request;
    const set = setAt(request.resource, base);
    const { integrations } = await registries.of(NOBODY);
    const offered = integrations
      .map((integration) => ({ name: integration.name, title: titleOf(integration) }))
      .toSorted((a, b) => a.title.localeCompare(b.title, 'en'));
    const asked = { question, client, redirectUri, scope, set, integrations: offered, cancelUrl, config };
    return sendPage(c, consentPage(asked));
  });

  // Handles the decision on the consent page, from the browser that was shown the page.
  app.post('/authorize', async (c) => {
    const form = new URLSearchParams(await readText(c, OAUTH_BODY_BYTES));
    const request = await tickets.answer(form.get('consent') ?? '', cookie.read(c));
    if (request === null) return refuseAnswer(c, NOT_ASKED);
    const { integrations } = await registries.of(NOBODY);
    const names = new Set(integrations.map(({ name }) => name));
    const choice = readChoice(form, { scope: request.scope, integrations: names });
    if (choice === 'not-offered') return refuseAnswer(c, NOT_OFFERED);
    if (choice === 'too-many' || isTooLong({ ...request, choice })) return refuseAnswer(c, TOO_MANY_CHOSEN);
    return signIn(c, { ...request, choice });
  });

  function refuseAnswer(c: Context, error_description: string): Response | Promise<Response> {
    limits.count(c, 'sign-in');
    return refuse(c, 400, { error: 'invalid_request', error_description });
  }

  app.post('/token', async (c) => {
    const tooMany = limits.check(c, 'token');
    if (tooMany !== null) return c.json(busy(tooMany), 429, { ...NO_STORE, ...tooMany.headers });
    const text = await readText(c, OAUTH_BODY_BYTES);
    const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '');
    const authorization = c.req.header('authorization') ?? null;
    const outcome = isForm
      ? await redeemToken(new URLSearchParams(text), authorization)
      : { reason: 'malformed' as const };
    if ('tokens' in outcome) return c.json(outcome.tokens, 200, NO_STORE);
    log.write('warn', 'token refused', { ...outcome });
    const { status, headers = {}, ...error } = explainToken(outcome);
    // What the provider cannot answer right now is no fault of the caller.
    if (status < 500) limits.count(c, 'token');
    return c.json(error, status, { ...NO_STORE, ...headers });
  });

  app.get('/oauth/callback', (c) => sendPage(c, LANDING));

  /** A flow in another tab keeps the same value. */
  const drawBinding = (c: Context) => cookie.read(c) ?? toHex(random.bytes(32));

  /** Returns the value that binds the flow to this browser. */
  function bind(c: Context): string {
    const binding = drawBinding(c);
    cookie.set(c, binding);
    return binding;
  }

  async function signIn(c: Context, request: AuthorizeRequest): Promise<Response> {
    const binding = drawBinding(c);
    const makeTicket = tickets.carry(request, binding);
    const begun = await login.begin('hosted', {
      ticketFor: keepInBrowser(c, { binding: cookie, request: requestCookies }, { binding, makeTicket }),
      choosesAccount: true,
    });
    if ('reason' in begun) {
      const way =
        begun.reason === 'not-enabled'
          ? ` The agent can send a key instead: see “Connect an agent” at ${config.PORTAL_URL}.`
          : '';
      return refuse(c, 503, {
        error: 'temporarily_unavailable',
        error_description: `${explainLogin(begun)}${way}`,
      });
    }
    c.header('Cache-Control', 'no-store');
    c.header('Referrer-Policy', 'no-referrer');
    return c.redirect(begun.url);
  }

  return app;
}

const busy = ({ sentence }: TooMany): WireError => ({
  error: 'temporarily_unavailable',
  error_description: sentence,
});

function refuse(
  c: Context,
  status: ContentfulStatusCode,
  error: WireError,
  headers: Record<string, string> = {},
): Response | Promise<Response> {
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  if (!wantsPage(c)) return c.json(error, status, NO_STORE);
  const body = html`<p>${error.error_description}</p>
    <p class="soft">${error.error}</p>`;
  return sendPage(c, { title: 'The application cannot be connected', body }, status);
}
