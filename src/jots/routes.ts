// Serves /j/: the files of jots, the unlock page and the upload. reference: Jot serving; Jot uploads
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { getQueryStrings } from 'hono/utils/url';
import { readText } from '../http/request-body.ts';
import { clientAddress, rawTarget } from '../http/client-address.ts';
import type { Config } from '../config/config.ts';
import type { Jots } from './jots.ts';
import type { Ports } from '../ports/ports.ts';
import type { FailedUnlocks } from './serving/failed-unlocks.ts';
import { createUploadWork } from '../auth/upload-work.ts';
import type { RunningWork } from '../auth/running-work.ts';
import { accessEnded, HttpError } from '../http/errors.ts';
import { JOT_COOKIE_SECONDS, JOT_PREFLIGHT_SECONDS, JOT_SWEEP_SECONDS } from './model/limits.ts';
import type { Jot } from '../ports/records.ts';
import { openUploadBody } from '../http/upload-body.ts';
import { isOpen, protectionHeaders } from './serving/headers.ts';
import { isJotName } from './model/names.ts';
import { createIsOwnOrigin } from './serving/own-origin.ts';
import { type RefusalReason, JotRefused } from './model/jot-refused.ts';
import { sendMissingPage } from './serving/missing-page.ts';
import { createServe } from './serving/serve.ts';
import { isTraversal, readTarget } from './serving/target.ts';
import { createUnlock } from './serving/unlock.ts';
import { unlockPage } from './serving/unlock-page.ts';

const COOKIE = 'svc_jot';
const MAX_FORM_BYTES = 16 * 1024;

type Needs = Pick<Ports, 'clock' | 'config' | 'hasher'> & {
  jots: Jots;
  failedUnlocks: FailedUnlocks;
  runningWork: Pick<RunningWork, 'begin'>;
};

export function createJotRoutes({ clock, config, hasher, jots, failedUnlocks, runningWork }: Needs): Hono {
  const serve = createServe(jots);
  const unlock = createUnlock({ clock, config, hasher, failedUnlocks });
  const isOwnOrigin = isOnOwnOrigin(config);
  const answerNotFound = createAnswerNotFound(config);
  const secure = (config.JOTS_ORIGIN ?? config.SERVER_PUBLIC_URL).startsWith('https:');

  const findByName = async (name: string): Promise<Jot | null> => (isJotName(name) ? jots.find(name) : null);

  function answerLocked(
    c: Context,
    jot: Jot,
    state: Parameters<typeof unlockPage>[1],
    status: ContentfulStatusCode,
  ): Response {
    const headers = { ...protectionHeaders(isOwnOrigin(c)), 'Cache-Control': 'no-store' };
    return c.html(unlockPage(jot.name, state), status, headers);
  }

  const app = new Hono();

  // GET has no such route, because no jot is named "upload".
  app.post('/j/upload/:token', async (c) => {
    const body = openUploadBody(c.req.raw.body, clock);
    const upload = createUploadWork(runningWork, body);
    try {
      const result = await jots.upload(c.req.param('token'), body.pieces(), upload.enter);
      if (result !== null) return c.json(result);
      throw new HttpError(404, {
        error: 'NOT_FOUND',
        message: 'This upload address is unknown, used, or too old. Ask for a new one.',
      });
    } catch (error) {
      if (upload.isEnded()) throw accessEnded();
      await body.drain(config.JOT_MAX_UPLOAD_BYTES);
      throw error instanceof JotRefused ? toHttpError(error) : error;
    } finally {
      upload.end();
    }
  });

  app.get('/j/:name', (c) => {
    const name = c.req.param('name');
    if (!isJotName(name)) return answerNotFound(c);
    // The redirect is relative: the Host header may name no valid address, such as 1.2.3.4.5.
    return c.redirect(`/j/${name}/${getQueryStrings(c.req.url)}`, 301);
  });

  app.get('/j/:name/*', async (c) => {
    const target = readTarget(c.req.url);
    if (target.kind === 'traversal') return c.body(null, 403);
    // A page must not be able to register a service worker, which would sit between the browser and all jots.
    if (target.kind === 'nothing' || c.req.header('service-worker') !== undefined) return answerNotFound(c);
    const jot = await jots.find(target.name);
    if (jot === null) return answerNotFound(c);
    if (jot.access === 'password' && !(await unlock.opens(jot, getCookie(c, COOKIE))))
      return isNavigation(c) ? answerLocked(c, jot, 'ask', 200) : c.body(null, 401);
    let type = '';
    const served = await serve({
      jot,
      path: target.path,
      ownOrigin: isOwnOrigin(c),
      head: c.req.method === 'HEAD',
      header: (name) => c.req.header(name),
      onType: (contentType) => (type = contentType),
    });
    if (served === null) return answerNotFound(c);
    if (c.req.method === 'GET' && (served.status === 200 || served.status === 304))
      jots.views.count(jot, type);
    return served;
  });

  app.post('/j/:name/__auth', async (c) => {
    const jot = await findByName(c.req.param('name'));
    if (jot === null) return answerNotFound(c);
    const home = `/j/${jot.name}/`;
    if (jot.access === 'public') return c.redirect(home, 302);
    const given = new URLSearchParams(await readText(c, MAX_FORM_BYTES)).get('password') ?? '';
    const attempt = await unlock.attempt(jot, given, clientAddress(c, config));
    switch (attempt.outcome) {
      case 'wrong':
        return answerLocked(c, jot, 'wrong', 401);
      case 'too-many':
        c.header('Retry-After', String(attempt.retryAfter));
        return answerLocked(c, jot, 'too-many', 429);
      case 'opened':
        setCookie(c, COOKIE, attempt.cookie, {
          path: home,
          httpOnly: true,
          sameSite: 'Lax',
          maxAge: JOT_COOKIE_SECONDS,
          secure,
        });
        return c.redirect(home, 302);
    }
  });

  app.options('/j/:name/*', async (c) => {
    const jot = await findByName(c.req.param('name'));
    if (jot === null || !isOpen(jot)) return c.body(null, 404);
    return c.body(null, 204, {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
      'Access-Control-Max-Age': String(JOT_PREFLIGHT_SECONDS),
    });
  });

  return app;
}

/** Refuses `..` in the raw target, before an adapter resolves it to another page. */
export const refuseTraversal: MiddlewareHandler = (c, next) => {
  const target = rawTarget(c);
  return target !== undefined && isTraversal(target) ? Promise.resolve(c.body(null, 403)) : next();
};

/** Hides the rest of the gateway from the origin that jots may have to themselves: their pages can use that origin. */
export function confineJotsOrigin(config: Pick<Config, 'JOTS_ORIGIN' | 'PORTAL_URL'>): MiddlewareHandler {
  const isOwnOrigin = isOnOwnOrigin(config);
  const answerNotFound = createAnswerNotFound(config);
  return async function confine(c, next) {
    if (isOwnOrigin(c) && !c.req.path.startsWith('/j/')) return answerNotFound(c);
    await next();
  };
}

function isOnOwnOrigin(config: Pick<Config, 'JOTS_ORIGIN'>): (c: Context) => boolean {
  const isOwn = createIsOwnOrigin(config);
  return (c) => isOwn(c.req.header('host') ?? new URL(c.req.url).host);
}

/** Answers a browser that navigates with a page, and everything else with a bare 404. */
function createAnswerNotFound(
  config: Pick<Config, 'JOTS_ORIGIN' | 'PORTAL_URL'>,
): (c: Context) => Response | Promise<Response> {
  const isOwnOrigin = isOnOwnOrigin(config);
  return (c) =>
    isNavigation(c) ? sendMissingPage(c, isOwnOrigin(c) ? null : config.PORTAL_URL) : c.body(null, 404);
}

function isNavigation(c: Context): boolean {
  const mode = c.req.header('sec-fetch-mode');
  return mode === undefined ? (c.req.header('accept') ?? '').includes('text/html') : mode === 'navigate';
}

// reference: Jot uploads
function statusOf(reason: RefusalReason): ContentfulStatusCode {
  switch (reason) {
    case 'BAD_ARCHIVE':
    case 'INVALID_PATH':
    case 'NO_INDEX':
    case 'PASSWORD_RULE':
      return 400;
    case 'NOT_YOURS':
      return 403;
    case 'NOT_FOUND':
    case 'VERSION_GONE':
      return 404;
    case 'JOT_CHANGED':
    case 'JOT_NAME_TAKEN':
      return 409;
    case 'JOT_QUOTA':
      return 429;
    case 'TOO_LARGE':
    case 'TOO_MANY_FILES':
      return 413;
    case 'DEPLOY_FAILED':
      return 500;
  }
}

export const toHttpError = ({ reason, message }: JotRefused) =>
  new HttpError(
    statusOf(reason),
    { error: reason, message },
    reason === 'JOT_QUOTA' ? { 'Retry-After': String(JOT_SWEEP_SECONDS) } : {},
  );
