// The step that finds the account of a raw request, and where the request goes with its credential.
// reference: Curl proxy; Several accounts
import { addressBelow, type Route, type Routes } from '../connections/calls/route.ts';
import { type Connected, howToConnect } from '../connections/model/connected.ts';
import type { BoundAccount } from '../connections/model/accounts.ts';
import { hasLiveCookie } from '../connections/model/cookies.ts';
import type { Credential } from '../connections/model/credential.ts';
import type { ReadyConnection } from '../connections/model/open-credential.ts';
import type { TokenSource } from '../connections/oauth/tokens.ts';
import type { Egress } from '../egress/door.ts';
import { EgressFailure } from '../egress/failure.ts';
import type { Access } from '../kit/access.ts';
import type { Actor } from '../kit/actor.ts';
import type { Integration } from '../kit/integration.ts';
import { andThen } from '../memory/and-then.ts';
import { accountOf } from '../policy/model/gate.ts';
import type { Ports } from '../ports/ports.ts';
import type { Connection } from '../ports/records.ts';
import type { Span } from '../ports/telemetry.ts';
import type { Ended, Found } from './effect.ts';
import { refuseChoice, refuseTeam } from './find-connection.ts';
import type { NamedAccount, RequestEnding } from './outcome.ts';
import type { Destination, RawPath, Sent } from './wire.ts';

export interface Destined extends Found, Sent {
  connection: Connection;
  credential: Credential;
}

interface Wanted {
  userId: string;
  actor: Actor;
  integration: Integration;
  path: RawPath;
  /** The account that the token is bound to. */
  bound: BoundAccount | undefined;
  access: Access;
  isHeld: boolean;
  redactions: Sent['redactions'];
  /** A token that has to be refreshed is refreshed below the span. */
  span: Span | undefined;
}

type NotFound = Found & Ended<RequestEnding>;

export interface FindDestination {
  find(wanted: Wanted): Promise<Destined | NotFound>;
  /**
   * The same with a newer token than the one that the upstream refused. `dead`: no newer one will come; `same`: it may come
   * later.
   */
  renew(former: Destined, wanted: Renewal): Promise<Destined | 'same' | 'dead'>;
}

interface Renewal extends Pick<Wanted, 'actor' | 'integration' | 'path' | 'span'> {
  /** Whether the call is for this very account, because a person has approved it. */
  mustStay: boolean;
}

export type DestinationNeeds = Pick<Ports, 'clock' | 'config'> & {
  connected: Pick<Connected, 'choose'>;
  egress: Egress;
  routes: Routes;
  tokens: TokenSource;
};

export function createFindDestination(deps: DestinationNeeds): FindDestination {
  const { clock, config, connected, egress, routes, tokens } = deps;

  const notConnected = (
    { actor, integration }: Pick<Wanted, 'actor' | 'integration'>,
    named: NamedAccount,
  ): NotFound => ({
    named,
    ending: { kind: 'not-connected', message: howToConnect(integration, config, actor) },
  });

  function reach(
    { connection, credential }: ReadyConnection,
    wanted: Pick<Wanted, 'actor' | 'integration' | 'path'>,
    { named, isHeld, redactions }: Pick<Destined, 'named' | 'isHeld' | 'redactions'>,
  ): Destined | NotFound | Promise<Destined | NotFound> {
    const { integration, path } = wanted;
    const unreachable = (error: unknown): NotFound => {
      if (error instanceof EgressFailure) return noWay(named, `upstream request failed: ${error.message}`);
      throw error;
    };
    const arrive = (destination: Destination): Destined => ({
      named,
      isHeld,
      redactions,
      connection,
      credential,
      destination,
    });
    // Without a live cookie the upstream would take the caller for a stranger.
    if (credential.kind === 'cookies' && !hasLiveCookie(credential, clock.now()))
      return notConnected(wanted, named);
    const route = routes.find({ connection, credential }, integration);
    if ('reason' in route) return noWay(named, `cannot resolve proxy base URL: ${route.reason}`);
    try {
      const locating = locate(route, path);
      return locating instanceof Promise ? locating.then(arrive).catch(unreachable) : arrive(locating);
    } catch (error) {
      return unreachable(error);
    }
  }

  function locate(route: Route, { tail, search }: RawPath): Destination | Promise<Destination> {
    const { isInQuery, root, prefix, defaults } = route;
    const declared = addressBelow(route, `${tail}${search}`);
    // isSafePath has refused such paths already; this check also holds if that one has a gap.
    if (declared === null) throw new EgressFailure('bad-url', 'that path leaves the API');
    const headers = routes.headersFor(route, declared);
    const added = isInQuery ? declared.search : search;
    const target = `${prefix}${tail === '' ? '/' : tail}${added}`;
    return andThen(egress.locate(root), ({ origin, addresses }) => ({
      declared,
      base: route.base,
      origin,
      target,
      addresses,
      headers,
      defaults,
    }));
  }

  return {
    async find(wanted) {
      const { userId, integration, bound, access, span } = wanted;
      // A token uses the team connection only if it is bound to it, or if the person chose it as a default.
      const choice = await connected.choose(userId, integration, { bound, onlyOwn: true, access });
      if (choice === null) return notConnected(wanted, {});
      if (choice.kind === 'over-ceiling') return refuseTeam(integration, choice.ceiling);
      if (choice.kind !== 'chosen') return { named: {}, ending: refuseChoice(integration, choice) };
      const { connection, account, owner } = choice;
      const named = {
        ...(account === undefined ? {} : { account }),
        ...(owner === undefined ? {} : { owner }),
      };
      const preparing = tokens.prepareRow(connection, integration, span);
      const readiness = preparing instanceof Promise ? await preparing : preparing;
      switch (readiness.kind) {
        case 'not-connected':
          return notConnected(wanted, named);
        case 'reconnect':
        case 'later':
          return noWay(named, `upstream request failed: ${readiness.message}`);
        case 'ready': {
          // A header must not name a method that the rule of the team connection does not allow.
          const isHeld = wanted.isHeld || owner === 'team';
          return reach(readiness, wanted, { named, isHeld, redactions: wanted.redactions });
        }
      }
    },

    async renew(former, wanted) {
      const { integration, mustStay, span } = wanted;
      const newer = await tokens.renew(former.connection, integration, former.credential, span);
      if (newer.kind !== 'ready') return newer.kind;
      const next = await reach(newer, wanted, former);
      if ('ending' in next) return 'same';
      return mustStay && !isSameAccount(next, former, integration) ? 'same' : next;
    },
  };
}

const noWay = (named: NamedAccount, message: string): NotFound => ({
  named,
  ending: { kind: 'no-way', message },
});

function isSameAccount(one: Destined, other: Destined, integration: Integration): boolean {
  const [first, second] = [one, other].map(({ connection }) => accountOf(connection, integration));
  return first === second && one.destination.base === other.destination.base;
}
