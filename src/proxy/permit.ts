// Decides whether a call through the proxy may go, and where to, with the checks in the specification's order. reference: Curl proxy
import { bearerToken } from '../auth/caller.ts';
import type { CurlGrant, CurlTokens } from '../auth/curl-token.ts';
import { addressBelow, type Header, type Route, type Routes } from '../connections/calls/route.ts';
import { type Connected, howToConnect } from '../connections/connected.ts';
import { howFarTeamGoes, TEAM_LABEL } from '../connections/team.ts';
import { hasLiveCookie } from '../connections/cookies/cookies.ts';
import type { Credential } from '../connections/credential.ts';
import type { ReadyConnection } from '../connections/open-credential.ts';
import type { Egress } from '../egress/door.ts';
import type { CallCounts } from '../memory/per-person.ts';
import type { Ports } from '../ports/ports.ts';
import type { Registries } from '../kit/registries.ts';
import type { TokenSource } from '../connections/oauth/tokens.ts';
import { EgressFailure } from '../egress/failure.ts';
import type { Access } from '../kit/access.ts';
import type { Actor } from '../kit/actor.ts';
import type { Integration } from '../kit/integration.ts';
import { isSafeDecodedAgain, isSafePath } from '../kit/safe-path.ts';
import { accountOf, type Gate } from '../policy/gate.ts';
import type { Permissions } from '../policy/permissions.ts';
import type { AccountOwner, Connection } from '../ports/records.ts';
import { createJudge } from './judge.ts';
import type { ProxyPath } from './path.ts';
import type { ProxyRequest } from './request.ts';
import {
  type Caller,
  refuse,
  refuseChoice,
  refuseDecided,
  refuseKnown,
  refuseNotConnected,
  type Refused,
  refuseTooMany,
} from './refusals.ts';

export interface Destination {
  /** The address as the integration declares it. */
  declared: URL;
  /** The address of the API, without the path of the request. */
  base: string;
  /** The origin that is really called. */
  origin: string;
  /** The request target. Behind the base it is byte for byte what the caller sent. */
  target: string;
  addresses: readonly [string, ...string[]];
  /** They replace the caller's headers of these names, which are in lower case. */
  headers: readonly Header[];
  /** They are sent unless the caller sent others. */
  defaults: readonly Header[];
}

export interface Permitted {
  kind: 'permitted';
  /** Whether the session or a rule allows only certain methods, or only a part of the paths. */
  isHeld: boolean;
  /** Set where a person has to approve the call first. */
  question: Question | null;
  userId: string;
  actor: Actor;
  /** What the request can do at most. */
  access: Access;
  integration: Integration;
  connection: Connection;
  /** The label of the account, where the person has several. */
  account?: string | undefined;
  /** The owner of the account, if it is not the caller. */
  owner?: AccountOwner | undefined;
  credential: Credential;
  destination: Destination;
}

export interface Question {
  permissions: Permissions;
}

export interface Permits {
  /**
   * A permitted call counts for its person until `calls.end`. `enter` is called when the person is known, before anything
   * is asked for them.
   */
  permit(request: ProxyRequest, enter: (userId: string) => void): Promise<Permitted | Refused>;
  /**
   * The same call with a newer token than the one that the upstream refused. `dead`: no newer one will come; `same`: it may
   * come later.
   */
  renew(permitted: Permitted, request: ProxyRequest): Promise<Permitted | { kind: 'same' | 'dead' }>;
}

type Needs = Pick<Ports, 'clock' | 'config'> & {
  calls: CallCounts;
  connected: Pick<Connected, 'choose'>;
  curlTokens: CurlTokens;
  egress: Egress;
  gate: Gate;
  registries: Registries;
  routes: Routes;
  tokens: TokenSource;
};

export function createPermits({
  calls,
  clock,
  config,
  connected,
  curlTokens,
  egress,
  gate,
  registries,
  routes,
  tokens,
}: Needs): Permits {
  const judge = createJudge({ registries });

  async function permit(
    request: ProxyRequest,
    enter: (userId: string) => void,
  ): Promise<Permitted | Refused> {
    const token = bearerToken(request.authorization);
    if (token === null) return refuse(401, 'Bearer curl-session token required');
    const grant = await curlTokens.verify(token);
    if (grant === null) return refuse(401, 'invalid or expired curl session token');
    enter(grant.userId);
    request.admit?.();
    return permitGranted(grant, request);
  }

  async function permitGranted(grant: CurlGrant, request: ProxyRequest): Promise<Permitted | Refused> {
    const { method, path } = request;
    const isInSession = grant.integrations.includes(path.integration);
    const integration = await registries.integration(grant.userId, path.integration);
    // The caller chooses this name, so an unknown one is not audited.
    if (integration === null)
      return isInSession
        ? refuse(400, 'integration does not support curl proxy')
        : refuse(403, 'integration is not in this curl session');
    const { userId, actor } = grant;
    const caller = { userId, actor, integration };
    if (!isInSession) return refuseKnown(403, 'integration is not in this curl session', caller, 'blocked');
    if (integration.api === undefined || integration.auth.type === 'none')
      return refuseKnown(400, 'integration does not support curl proxy', caller);
    if (!isSafeFor(grant, path)) return refuseKnown(400, 'invalid path', caller);
    if (!isWithin(grant, method, path)) {
      const error = 'this curl session does not allow that method or path';
      return refuseKnown(403, error, caller, 'blocked');
    }
    const over = calls.begin(grant.userId);
    if (over !== undefined) return refuseTooMany(integration, over);
    let outcome: Permitted | Refused | undefined;
    try {
      return (outcome = await permitJudged(grant, integration, request));
    } finally {
      if (outcome?.kind !== 'permitted') calls.end(grant.userId);
    }
  }

  async function permitJudged(
    grant: CurlGrant,
    integration: Integration,
    request: ProxyRequest,
  ): Promise<Permitted | Refused> {
    const { userId, actor } = grant;
    const permissions = await gate.permissionsOf(grant);
    const over = gate.count(grant, permissions);
    if (over !== undefined) return refuseTooMany(integration, over);
    const { verdict, access } = await judge(grant, permissions, integration, request);
    if (verdict.decision === 'block') {
      const message = gate.blockedText(verdict, `${request.method} requests to ${integration.displayName}`);
      return refuseDecided({ userId, actor, access, integration, outcome: 'blocked' }, message);
    }
    return permitConnected(grant, integration, request, {
      // A rule for one method must not be passed by a header that names another one.
      isHeld: !permissions.isOpen || grant.methods !== undefined || grant.pathPrefix !== undefined,
      userId,
      actor,
      question: verdict.decision === 'ask' ? { permissions } : null,
      access,
    });
  }

  async function permitConnected(
    grant: CurlGrant,
    integration: Integration,
    { path, admit }: ProxyRequest,
    session: Session,
  ): Promise<Permitted | Refused> {
    const { userId } = grant;
    const { access } = session;
    const bound = grant.accounts?.[integration.name];
    // A token uses the team connection only if it is bound to it, or if the person chose it as a default.
    const choice = await connected.choose(userId, integration, { bound, onlyOwn: true, access });
    if (choice === null) return notConnected(callerOf(integration, session));
    if (choice.kind === 'over-ceiling') {
      const team = { account: TEAM_LABEL, owner: 'team' } as const;
      const message = howFarTeamGoes(integration, choice.ceiling);
      return refuseDecided({ ...callerOf(integration, session), ...team, outcome: 'blocked' }, message);
    }
    if (choice.kind !== 'chosen') return refuseChoice(callerOf(integration, session), choice);
    const { connection } = choice;
    session.account = choice.account;
    session.owner = choice.owner;
    // A header must not name a method that the rule of the team connection does not allow.
    session.isHeld ||= choice.owner === 'team';
    const readiness = await tokens.prepareRow(connection, integration, admit?.());
    switch (readiness.kind) {
      case 'not-connected':
        return notConnected(callerOf(integration, session));
      case 'reconnect':
      case 'later':
        return refuseKnown(
          502,
          `upstream request failed: ${readiness.message}`,
          callerOf(integration, session),
        );
      case 'ready':
        return permitOver(readiness, integration, path, session);
    }
  }

  async function permitOver(
    ready: ReadyConnection,
    integration: Integration,
    path: ProxyPath,
    session: Session,
  ): Promise<Permitted | Refused> {
    const { connection, credential } = ready;
    const caller = callerOf(integration, session);
    // Without a live cookie the upstream would take the caller for a stranger.
    if (credential.kind === 'cookies' && !hasLiveCookie(credential, clock.now())) return notConnected(caller);
    const route = routes.find(ready, integration);
    if ('reason' in route) return refuseKnown(502, `cannot resolve proxy base URL: ${route.reason}`, caller);
    try {
      const destination = await locate(route, path);
      return {
        kind: 'permitted',
        ...session,
        integration,
        connection,
        credential,
        destination,
      };
    } catch (error) {
      if (error instanceof EgressFailure)
        return refuseKnown(502, `upstream request failed: ${error.message}`, caller);
      throw error;
    }
  }

  const notConnected = (caller: Caller): Refused =>
    refuseNotConnected(caller, howToConnect(caller.integration, config));

  async function locate(route: Route, { tail, search }: ProxyPath): Promise<Destination> {
    const { isInQuery, root, prefix, defaults } = route;
    const declared = addressBelow(route, `${tail}${search}`);
    // isSafePath has refused such paths already; this check also holds if that one has a gap.
    if (declared === null) throw new EgressFailure('bad-url', 'that path leaves the API');
    const headers = routes.headersFor(route, declared);
    const { origin, addresses } = await egress.locate(root);
    const added = isInQuery ? declared.search : search;
    const target = `${prefix}${tail === '' ? '/' : tail}${added}`;
    return { declared, base: route.base, origin, target, addresses, headers, defaults };
  }

  return {
    permit,
    async renew(permitted, { path, admit }) {
      const { integration, connection, credential, question } = permitted;
      const { access, account, owner, userId, actor, isHeld } = permitted;
      const newer = await tokens.renew(connection, integration, credential, admit?.());
      if (newer.kind !== 'ready') return newer;
      const next = await permitOver(newer, integration, path, {
        isHeld,
        access,
        account,
        owner,
        userId,
        actor,
        question,
      });
      if (next.kind !== 'permitted') return { kind: 'same' };
      // The person approved the call for one account. It must not run with another.
      return question === null || isSameAccount(next, permitted) ? next : { kind: 'same' };
    },
  };
}

type Session = Pick<Permitted, 'isHeld' | 'access' | 'account' | 'owner' | 'userId' | 'actor' | 'question'>;

const callerOf = (integration: Integration, session: Session): Caller => {
  const { userId, actor, account, owner, access } = session;
  return { userId, actor, integration, account, owner, access };
};

function isSameAccount(one: Permitted, other: Permitted): boolean {
  const [first, second] = [one, other].map(({ connection, integration }) =>
    accountOf(connection, integration),
  );
  return first === second && one.destination.base === other.destination.base;
}

/** An upstream that decodes twice must not leave the prefix of a session either. */
function isSafeFor({ pathPrefix }: CurlGrant, { tail, search }: ProxyPath): boolean {
  return isSafePath(tail, search) && (pathPrefix === undefined || isSafeDecodedAgain(tail));
}

/** A prefix ends where a segment ends: `/repos/a` does not let `/repos/ab` in. */
function isWithin({ methods, pathPrefix }: CurlGrant, method: string, { tail }: ProxyPath): boolean {
  if (methods !== undefined && !methods.includes(method)) return false;
  if (pathPrefix === undefined) return true;
  const prefix = pathPrefix.replace(/\/$/, '');
  return tail === prefix || tail.startsWith(`${prefix}/`);
}
