// Describes the routes of cookie sessions, and declares their bodies. reference: Cookie sessions
import * as z from 'zod';
import { codedFailure, failure, type Operations, reply, succeeded } from '../../http/operation.ts';
import { BROWSER } from '../model/links.ts';
import { browserHeader, CHECKED_REPLIES } from '../model/schemas.ts';
import { FOR_TEAM } from '../model/team.ts';
import { GivenCookie, GivenSession } from './cookie-import.ts';
import { Bundle } from '../model/cookies.ts';

/** What a viewer needs to show the browser. */
export const loginRequired = () =>
  z.object({
    type: z.enum(['cookie', BROWSER]),
    status: z.literal('login_required'),
    cdpToken: z.string(),
    cdpProxyUrl: z.string().describe('Where the live view is driven'),
    loginUrl: z.string().exactOptional(),
  });
export const captured = () => z.object({ success: z.literal(true), cookieCount: z.int() });
const exportedSession = () =>
  z.object({
    integration: z.string(),
    session: Bundle.extend({
      instanceUrl: z.string().describe('The instance that the session is for').exactOptional(),
    }),
  });
export type LoginRequired = z.infer<ReturnType<typeof loginRequired>>;
export type CapturedCookies = z.infer<ReturnType<typeof captured>>;
export type ExportedSession = z.infer<ReturnType<typeof exportedSession>>;

const LABEL = z.string().describe('The label of the account');

const importedSession = () => {
  const session = GivenSession.extend({ cookies: z.array(GivenCookie).min(1) });
  const cookies = z.array(GivenCookie).min(1);
  return z.union([
    z.object({
      session: z.union([session, cookies]),
      instanceUrl: z.string().optional(),
      account: LABEL.optional(),
      for: z.enum([FOR_TEAM]).describe('Imports it for everyone; administrators only').optional(),
    }),
    session,
    cookies,
  ]);
};

const UNKNOWN = failure('Unknown integration, or one without cookies');

export const cookieOperations: Operations = () => ({
  'POST /api/auth/cookie/:integration/capture': {
    id: 'captureCookies',
    tag: 'Connecting',
    summary: 'Store the cookies of a sign-in in the live view',
    access: 'write',
    caller: 'portal',
    headers: browserHeader(),
    query: z.object({ account: LABEL.optional() }),
    replies: {
      200: reply('The session is stored', captured()),
      400: failure('The browser has no cookie of the integration, or does not run'),
      404: UNKNOWN,
      ...CHECKED_REPLIES,
    },
  },
  'POST /api/auth/cookie/:integration/cancel': {
    id: 'cancelCookieLogin',
    tag: 'Connecting',
    summary: 'End a sign-in in the live view without storing it',
    access: 'write',
    caller: 'portal',
    headers: browserHeader(),
    replies: { 200: succeeded('The sign-in has ended'), 404: UNKNOWN },
  },
  'GET /api/integrations/:integration/session/export': {
    id: 'exportSession',
    tag: 'Connecting',
    summary: 'Export a cookie session',
    access: 'read',
    caller: 'portal',
    query: z.object({ account: LABEL.optional() }),
    replies: {
      200: reply('The stored session', exportedSession()),
      403: codedFailure('`BLOCKED`: rules do not allow a key every call of the integration'),
      404: failure('Unknown integration or account, one without cookies, or nothing is stored'),
      409: failure('No encryption key opens the stored session'),
    },
  },
  'POST /api/integrations/:integration/session/import': {
    id: 'importSession',
    tag: 'Connecting',
    summary: 'Import a cookie session',
    description:
      'Takes our own export, a bare list of cookies, or an export of Playwright or Cookie-Editor. Without an instance the cookies have to name one host.',
    access: 'write',
    caller: 'portal',
    body: { schema: importedSession() },
    replies: {
      200: reply('The session is stored', captured()),
      400: failure('A bad or empty list, a bad instance, or cookies of other sites'),
      404: UNKNOWN,
      ...CHECKED_REPLIES,
    },
  },
});
