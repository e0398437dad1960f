// Says what each step of a call does where the call relays a raw request. reference: Curl proxy
import { pathPattern } from '../record/model/path-pattern.ts';
import type { BoundAccount } from '../connections/model/accounts.ts';
import type { Integration } from '../kit/integration.ts';
import { andThen } from '../memory/and-then.ts';
import type { Registries } from '../kit/registries.ts';
import type { Permissions } from '../policy/model/permissions.ts';
import { rawAccesses } from '../policy/model/raw-access.ts';
import type { Gate } from '../policy/model/gate.ts';
import type { Ports } from '../ports/ports.ts';
import { createAskAboutRequest } from './ask-about-request.ts';
import type { Effect, Judged, Manner } from './effect.ts';
import { createFindDestination, type DestinationNeeds, type Destined } from './find-destination.ts';
import { createJudgeRequest } from './judge-request.ts';
import type { RequestEnding } from './outcome.ts';
import { createRelayRequest, type RelayNeeds } from './relay-request.ts';
import type { RawRequest, Sent, Wire } from './wire.ts';

/** A request that a token allows, and the wire that it came over. */
export interface Lent {
  integration: Integration;
  request: RawRequest;
  wire: Wire;
  /** The account that the token is bound to. */
  bound: BoundAccount | undefined;
  /** Whether the token allows only certain methods, or only a part of the paths. */
  isNarrow: boolean;
}

interface JudgedRequest extends Judged {
  /** See `Sent`. */
  isHeld: boolean;
  redactions: Sent['redactions'];
  permissions: Permissions;
}

export type RelayEffect = Effect<JudgedRequest, Destined, RequestEnding>;

export type RelayEffectNeeds = RelayNeeds &
  DestinationNeeds &
  Pick<Ports, 'digest'> & { gate: Gate; registries: Registries };

const RAW: Manner = { action: 'CURL', isCounted: false, isAwaited: false, isTimedWhole: false };

export function createRelayEffectOf(deps: RelayEffectNeeds): (lent: Lent) => RelayEffect {
  const { gate } = deps;
  const judgeRequest = createJudgeRequest(deps);
  const destinations = createFindDestination(deps);
  const askAboutRequest = createAskAboutRequest(deps);
  const relayRequest = createRelayRequest(deps, destinations);

  return function relayEffectOf({ integration, request, wire, bound, isNarrow }) {
    const { method, path } = request;
    return {
      integration,
      // The row has never a query.
      tool: `${method} ${pathPattern(path.tail)}`,
      manner: RAW,
      access: null,
      // The wire itself ends with the access of the person, and with its caller.
      whyStopped: () => null,

      judge: (caller, permissions) =>
        andThen(judgeRequest(caller, permissions, integration, request), (judged) => {
          if ('ending' in judged) return judged;
          // A rule for one method must not be passed by a header that names another one.
          const redactions = permissions.redactionsOf(integration, null);
          return { ...judged, isHeld: isNarrow || !permissions.isOpen, redactions, permissions };
        }),

      async findAccount({ userId, actor, span }, { access, isHeld, redactions }) {
        const wanted = { userId, actor, integration, path, bound, access, isHeld, redactions, span };
        const found = await destinations.find(wanted);
        if ('ending' in found || !wire.isEnded()) return found;
        // The caller was answered while its account was looked for.
        return { named: found.named, ending: { kind: 'cut-off' } };
      },

      ask: (caller, { access, because }, destined, permissions) =>
        askAboutRequest(caller, { ...destined, access, because, integration, request, permissions }, wire),

      run(caller, { permissions }, destined, approved) {
        const relay = () => relayRequest(caller, destined, { integration, request, wire, approved });
        if (!isOutsideRead(integration, method, permissions)) return relay();
        // The answer flows to its caller at once, so the read is noted before.
        const read = `${method} ${integration.name}${pathPattern(path.tail)}`;
        return gate.outside.note(caller, permissions, read).then(relay);
      },

      // Nothing was sent. The door answers that the gateway has failed.
      explain(_caller, error) {
        throw error;
      },

      contentOf() {
        // Bodies pass through and are not kept.
        const query = path.search === '' ? {} : { query: path.search };
        return { args: { method, path: path.tail === '' ? '/' : path.tail, ...query } };
      },
    };
  };
}

/** A request whose method does not say what it does may be a read. */
const isOutsideRead = (integration: Integration, method: string, { afterOutside }: Permissions): boolean =>
  afterOutside !== null && integration.isClosed !== true && rawAccesses(integration, method).includes('read');
