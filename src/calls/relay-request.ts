// The step that relays a raw request: sends it on, once more with a renewed token, and heeds what the answer says.
// reference: Curl proxy
import { canRenew } from '../connections/model/credential.ts';
import type { Integration, KnownCaller } from '../kit/integration.ts';
import type { Connection } from '../ports/records.ts';
import type { Approved, Ran } from './effect.ts';
import type { Destined, FindDestination } from './find-destination.ts';
import { createHeedAnswer, type HeedNeeds } from './heed-answer.ts';
import type { RequestEnding } from './outcome.ts';
import { createTracedRelay, type TraceNeeds } from './traced-relay.ts';
import type { Exchange, RawRequest, Relayed, Wire } from './wire.ts';

/** A request that may be sent. */
export interface Ready {
  integration: Integration;
  request: RawRequest;
  wire: Wire;
  approved: Approved | null;
}

export type RelayRequest = (
  caller: KnownCaller,
  destined: Destined,
  ready: Ready,
) => Promise<Ran<RequestEnding>>;

export type RelayNeeds = HeedNeeds & TraceNeeds;

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function createRelayRequest(
  deps: RelayNeeds,
  { renew }: Pick<FindDestination, 'renew'>,
): RelayRequest {
  const { clock } = deps;
  const heed = createHeedAnswer(deps);
  const relayTraced = createTracedRelay(deps);

  async function withSecondTry(caller: KnownCaller, destined: Destined, ready: Ready): Promise<Relayed> {
    const { integration, wire, approved } = ready;
    const mayRenew = canRenew(destined.credential);

    const note = (status: number, lines: readonly string[]): Promise<Connection | null> | null => {
      if (lines.length === 0 && approved === null) return null;
      const kept = lines.length === 0 ? null : heed.cookies(caller, integration, destined, lines);
      const finished = approved?.finish(status < 400 ? 'done' : 'failed');
      return Promise.all([kept, finished]).then(([connection]) => connection);
    };
    const send = (to: Destined, mayRetry: boolean): Promise<Relayed> => {
      const { destination, isHeld, redactions, credential } = to;
      const keepsCookies = credential.kind === 'cookies';
      const sent = { destination, isHeld, redactions };
      const exchange: Exchange = { ...sent, keepsCookies, mayRetry, approved, note };
      return relayTraced(caller.span, ready, exchange);
    };

    const first = await send(destined, mayRenew && !wire.hasBody);
    if (first.kind !== 'turned-down') {
      // A body cannot be sent twice. The token is renewed all the same, so that the caller's next call succeeds.
      if (mayRenew && first.kind === 'answered' && first.status === 401)
        void heed.renew(caller, integration, destined);
      else void heed.state(first, integration, destined.connection);
      return first;
    }
    const { path } = ready.request;
    const mustStay = approved !== null;
    const newer = await renew(destined, {
      actor: caller.actor,
      integration,
      path,
      mustStay,
      span: caller.span,
    });
    const second = await send(typeof newer === 'string' ? destined : newer, false);
    if (newer !== 'same')
      void heed.state(second, integration, newer === 'dead' ? destined.connection : newer.connection);
    return second;
  }

  return async function relayRequest(caller, destined, ready) {
    const { request, wire } = ready;
    wire.askForBody();
    const started = clock.millis();
    const ending = await withSecondTry(caller, destined, ready).then(
      (relayed) => endingOf(request, relayed),
      // The upstream may have been called already.
      (error: unknown): RequestEnding => ({ kind: 'broken', error }),
    );
    return {
      ending,
      // An approved call that got no response was cut off with the access of its person, or it has failed.
      end: wire.isEnded() ? 'unknown' : 'failed',
      status: ending.kind === 'relayed' || ending.kind === 'withheld' ? ending.status : null,
      milliseconds: clock.millis() - started,
    };
  };
}

function endingOf({ method }: RawRequest, relayed: Relayed): RequestEnding {
  switch (relayed.kind) {
    case 'answered': {
      const { status, withheld } = relayed;
      return withheld === undefined
        ? { kind: 'relayed', status }
        : { kind: 'withheld', status, what: withheld };
    }
    case 'turned-down':
      return { kind: 'relayed', status: 401 };
    case 'failed':
      return { kind: 'unanswered', reason: relayed.reason };
    case 'caller-gone':
      return relayed;
    case 'access-ended':
      return { kind: 'access-ended', mayHaveRun: relayed.isSent && !READS.has(method) };
  }
}
