// The door of raw requests: says who calls, what their token lends them, and how a call is answered that was not relayed.
// reference: Curl proxy
import { bearerToken } from '../http/bearer-token.ts';
import type { CurlTokens } from '../auth/curl-token.ts';
import type { ServiceKeyAuth } from '../auth/service-keys.ts';
import { HttpError } from '../http/errors.ts';
import { AgentPaused } from '../http/paused.ts';
import type { MakeCall } from '../calls/engine.ts';
import type { RecordCall } from '../calls/record.ts';
import { createRelayEffectOf, type RelayEffectNeeds } from '../calls/relay-effect.ts';
import type { RawRequest, Wire } from '../calls/wire.ts';
import type { Span } from '../ports/telemetry.ts';
import { answerPlainly, answerTo, type RawAnswer } from './answer.ts';
import { isInSession, type Lent, NOT_IN_SESSION, whyNotLent, WITHOUT_API } from './token.ts';

/** How the request is named in the log, and where it is traced. */
interface Marks {
  requestId: string;
  span: Span | undefined;
}

/** What a caller says of itself. */
interface CallerHeaders {
  authorization: string | undefined;
  apiKey: string | undefined;
  actor: string | undefined;
}

export interface RawDoor {
  /** Finds out who calls. Returns the answer to a caller that nobody knows. */
  identify(headers: CallerHeaders): Promise<Lent | RawAnswer>;
  /** Relays the request. Returns the answer where there is none from the upstream. */
  serve(grant: Lent, request: RawRequest, wire: Wire, marks: Marks): Promise<RawAnswer | null>;
}

type Needs = RelayEffectNeeds & {
  curlTokens: CurlTokens;
  makeCall: MakeCall;
  recordCall: RecordCall;
  serviceKeyAuth: Pick<ServiceKeyAuth, 'isOne' | 'callerFor'>;
};

export function createRawDoor(deps: Needs): RawDoor {
  const { curlTokens, makeCall, recordCall, registries, serviceKeyAuth } = deps;
  const relayEffectOf = createRelayEffectOf(deps);

  async function lendTo(apiKey: string, externalId: string | null): Promise<Lent | RawAnswer> {
    try {
      const caller = await serviceKeyAuth.callerFor(apiKey, externalId);
      if (caller === null) return answerPlainly(401, 'unknown service key');
      return { userId: caller.userId, actor: caller.actor, integrations: null };
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return answerPlainly(404, error.message);
      if (error instanceof HttpError) return answerPlainly(403, error.message);
      throw error;
    }
  }

  return {
    async identify({ authorization, apiKey, actor }) {
      // A service key lends what its actor may use, without a token of its own. decision: 074
      if (authorization === undefined && apiKey !== undefined && serviceKeyAuth.isOne(apiKey))
        return lendTo(apiKey, actor ?? null);
      const token = bearerToken(authorization);
      if (token === null) return answerPlainly(401, 'Bearer curl-session token required');
      try {
        return (
          (await curlTokens.verify(token)) ?? answerPlainly(401, 'invalid or expired curl session token')
        );
      } catch (error) {
        if (error instanceof AgentPaused) return answerPlainly(403, error.message);
        throw error;
      }
    },

    async serve(grant, request, wire, marks) {
      const { userId, actor, accounts, methods, pathPrefix } = grant;
      const name = request.path.integration;
      const finding = registries.integration(userId, name);
      const integration = finding instanceof Promise ? await finding : finding;
      // The caller chooses this name, so an unknown one is not audited.
      if (integration === null)
        return isInSession(grant, name)
          ? answerPlainly(400, WITHOUT_API)
          : answerPlainly(403, NOT_IN_SESSION);
      const caller = { userId, actor, ...marks };
      const isNarrow = methods !== undefined || pathPrefix !== undefined;
      const effect = relayEffectOf({ integration, request, wire, bound: accounts?.[name], isNarrow });
      const notLent = whyNotLent(grant, integration, request);
      if (notLent === null) return answerTo(await makeCall(caller, effect));
      void recordCall(caller, effect, { ending: notLent, access: null, named: {} }, 0);
      return answerPlainly(notLent.status, notLent.message);
    },
  };
}
