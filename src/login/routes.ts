// The routes to the sign-in providers, and their callbacks. reference: Portal sign-in
import { type Context, Hono } from 'hono';
import type { Ports } from '../ports/ports.ts';
import type { Sessions } from '../auth/session.ts';
import type { AddressLimits } from '../http/address-limits.ts';
import { HttpError } from '../http/errors.ts';
import { sendFailure } from '../http/page.ts';
import type { SignInProvider } from '../ports/store.ts';
import { createBindingCookie, createRequestCookies, keepInBrowser } from './binding.ts';
import type { Login, OpenTicket, Tickets } from './login.ts';
import { explainLogin, type LoginFailure, loginStatus } from './outcome.ts';
import type { ProviderList, SignInStart } from './operations.ts';
import { isAboutPrompt } from './prompt.ts';
import { enabledProviders, namesOf } from './providers.ts';

type Needs = Pick<Ports, 'config' | 'log'> & {
  addressLimits: AddressLimits;
  sessions: Sessions;
  login: Login;
  tickets: Tickets;
};

export function createLoginRoutes({
  addressLimits: limits,
  config,
  log,
  sessions,
  login,
  tickets,
}: Needs): Hono {
  const cookie = createBindingCookie(config);
  const requestCookies = createRequestCookies(config);
  const app = new Hono();

  app.get('/api/auth/providers', (c) => {
    const providers = enabledProviders(config);
    const names = c.req.query('names') === undefined ? {} : { names: namesOf(config, providers) };
    return c.json({ providers, ...names } satisfies ProviderList);
  });

  for (const provider of ['hosted', 'idp'] as const) {
    app.get(`/api/auth/${provider}`, async (c) => {
      const tooMany = limits.check(c, 'sign-in');
      if (tooMany !== null) throw new HttpError(429, { error: tooMany.sentence }, tooMany.headers);
      limits.count(c, 'sign-in');
      const begun = await login.begin(provider);
      if ('reason' in begun) throw new HttpError(503, { error: explainLogin(begun) });
      return c.json(begun satisfies SignInStart, 200, { 'Cache-Control': 'no-store' });
    });
    app.get(`/api/auth/${provider}/callback`, (c) => answerCallback(c, provider));
  }

  async function answerCallback(c: Context, provider: SignInProvider): Promise<Response> {
    const { code, error, error_description: description, state: sent } = c.req.query();
    const [state, ticket] = splitState(sent);
    const binding = cookie.read(c);
    const opened = ticket === undefined ? null : await tickets.open(ticket, requestCookies.read(c));
    const returned = await login.redeem(provider, state);
    // The ticket is used up and the cookies cleared whatever the outcome. A ticket of this sign-in ends with
    // its state, so that of any number of repeats one gets both. reference: Authorize tickets
    const isOwn = opened !== null && opened.signIn === returned?.id;
    if (!isOwn) await opened?.discard();
    // Only the state that asked for the prompt can be repeated without it, so there is one repeat at most.
    const isPromptRefused =
      returned?.isLive === true && returned.hasPrompt && isAboutPrompt(error, description);
    if (isOwn && isPromptRefused) {
      const again = await beginAgain(c, provider, { binding, ticket: opened });
      if (again !== null) return again;
    }
    if (ticket !== undefined) {
      cookie.clear(c);
      requestCookies.clear(c);
    }
    const finished = await login.finish(provider, returned, { code, error });
    if ('reason' in finished) return refuse(c, provider, finished);
    const { user, tookOver } = finished;
    // Only the hosted provider can resume a ticket, and the portal tells a person of a takeover first.
    // reference: Authorize tickets; decision: 016
    const resumable = isOwn && provider === 'hosted' && !tookOver ? opened : null;
    const target =
      (await resumable?.resume({ userId: user.id, binding })) ??
      `${config.PORTAL_URL}#token=${await sessions.issue(user)}${tookOver ? '&tookOver=true' : ''}`;
    const shut = await login.confirm(user.id);
    if (shut !== null) return refuse(c, provider, shut);
    limits.forgive(c, 'sign-in');
    c.header('Cache-Control', 'no-store');
    c.header('Referrer-Policy', 'no-referrer');
    return c.redirect(target);
  }

  /** Sends the browser that began to the provider again, without the prompt. Null for another browser. */
  async function beginAgain(
    c: Context,
    provider: SignInProvider,
    { binding = '', ticket }: { binding: string | undefined; ticket: OpenTicket },
  ): Promise<Response | null> {
    const makeTicket = await ticket.repeat(binding);
    if (makeTicket === null) return null;
    log.write('warn', 'sign-in repeated without a choice of the account', { provider });
    const begun = await login.begin(provider, {
      ticketFor: keepInBrowser(c, { binding: cookie, request: requestCookies }, { binding, makeTicket }),
      choosesAccount: false,
    });
    if ('reason' in begun) return null;
    c.header('Cache-Control', 'no-store');
    c.header('Referrer-Policy', 'no-referrer');
    return c.redirect(begun.url);
  }

  function refuse(c: Context, provider: SignInProvider, failure: LoginFailure): Response | Promise<Response> {
    limits.count(c, 'sign-in');
    log.write('warn', 'sign-in refused', { provider, ...failure });
    const sentence = explainLogin(failure);
    return sendFailure(c, loginStatus(failure), {
      title: 'You are not signed in',
      sentence,
      portalUrl: config.PORTAL_URL,
    });
  }

  return app;
}

/** `<sso_state>.<ticket>` */
function splitState(sent: string | undefined): [state: string | undefined, ticket: string | undefined] {
  const dot = sent?.indexOf('.') ?? -1;
  return dot === -1 ? [sent, undefined] : [sent?.slice(0, dot), sent?.slice(dot + 1)];
}
