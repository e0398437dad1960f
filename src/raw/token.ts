// Says what a curl-session token lends: the checks of a raw request by its token, in the specification's order.
// reference: Curl proxy
import type { CurlGrant } from '../auth/curl-token.ts';
import type { RequestEnding } from '../calls/outcome.ts';
import type { RawPath, RawRequest } from '../calls/wire.ts';
import type { Integration } from '../kit/integration.ts';
import { isSafeDecodedAgain, isSafePath } from '../kit/safe-path.ts';

type NotLent = Extract<RequestEnding, { kind: 'not-lent' }>;

export const NOT_IN_SESSION = 'integration is not in this curl session';
export const WITHOUT_API = 'integration does not support curl proxy';

/** What a request may use. Null lends every integration that its caller may use. */
export type Lent = Omit<CurlGrant, 'integrations'> & { integrations: readonly string[] | null };

export const isInSession = ({ integrations }: Lent, name: string): boolean =>
  integrations === null || integrations.includes(name);

/** Returns null where the token allows the request. */
export function whyNotLent(
  grant: Lent,
  integration: Integration,
  { method, path }: RawRequest,
): NotLent | null {
  if (!isInSession(grant, integration.name)) return refuse(403, NOT_IN_SESSION);
  if (integration.api === undefined || integration.auth.type === 'none') return refuse(400, WITHOUT_API);
  if (!isSafeFor(grant, path)) return refuse(400, 'invalid path');
  if (!isWithin(grant, method, path))
    return refuse(403, 'this curl session does not allow that method or path');
  return null;
}

const refuse = (status: NotLent['status'], message: string): NotLent => ({
  kind: 'not-lent',
  status,
  message,
});

/** An upstream that decodes twice must not leave the prefix of a session either. */
function isSafeFor({ pathPrefix }: Lent, { tail, search }: RawPath): boolean {
  return isSafePath(tail, search) && (pathPrefix === undefined || isSafeDecodedAgain(tail));
}

/** A prefix ends where a segment ends: `/repos/a` does not let `/repos/ab` in. */
function isWithin({ methods, pathPrefix }: Lent, method: string, { tail }: RawPath): boolean {
  if (methods !== undefined && !methods.includes(method)) return false;
  if (pathPrefix === undefined) return true;
  const prefix = pathPrefix.replace(/\/$/, '');
  return tail === prefix || tail.startsWith(`${prefix}/`);
}
