// Guards the protected portal API. reference: Authentication
import type { Context, MiddlewareHandler } from 'hono';
import type { Ports } from '../ports/ports.ts';
import { ErrorText } from '../http/error-codes.ts';
import { HttpError } from '../http/errors.ts';
import type { User } from '../ports/records.ts';
import { type Actor, type Identify, isAgentKey, SESSION } from '../kit/actor.ts';
import type { RequestTrace } from '../http/request-trace.ts';
import type { UnderWay } from './under-way.ts';

export type PortalEnv = {
  Variables: {
    userId: string;
    actor: Actor;
    requestId?: string;
    underWay?: UnderWay;
    trace?: RequestTrace;
  };
};

interface Admitted {
  /** `persons` keeps named keys out. `sessions` also keeps the personal key out: people decide there. */
  only: 'anyone' | 'persons' | 'sessions';
}

const PORTAL_ONLY = 'Only a person who is signed in to the portal may do this';
const NOT_FOR_AGENT_KEYS =
  'A named key reads the catalogue, the connections and its own activity here, and nothing else. Use it with /mcp, /rest or curl_session';

/** Answers 401 without a valid credential, and 403 for a credential that does not open this part. */
export function requirePortalUser(
  identify: Identify,
  { only }: Admitted = { only: 'persons' },
): MiddlewareHandler<PortalEnv> {
  return async function portalUser(c, next) {
    const identity = await identify(c.req.raw.headers);
    if (identity === null) throw new HttpError(401, { error: ErrorText.UNAUTHORIZED });
    const { userId, actor } = identity;
    if (only === 'sessions' && actor.id !== SESSION.id) throw new HttpError(403, { error: PORTAL_ONLY });
    if (only === 'persons' && isAgentKey(actor)) throw new HttpError(403, { error: NOT_FOR_AGENT_KEYS });
    c.get('underWay')?.enter(userId);
    c.get('trace')?.admit();
    c.set('userId', userId);
    c.set('actor', actor);
    // A shared cache tells users apart by Authorization and cookies, but not by API key.
    c.header('Cache-Control', 'no-store');
    await next();
  };
}

/** Loads the caller's row. A session can outlive its user. */
export async function loadUser(c: Context<PortalEnv>, { store }: Pick<Ports, 'store'>): Promise<User> {
  const user = await store.users.byId(c.var.userId);
  if (user === null) throw new HttpError(404, { error: 'User not found' });
  return user;
}
