// Takes a call through its steps, in one order for every door. docs/calls.md
import { serviceKeyIdOf } from '../kit/actor.ts';
import type { KnownCaller } from '../kit/integration.ts';
import type { CallCounts } from '../memory/per-person.ts';
import type { Gate } from '../policy/model/gate.ts';
import type { Ports } from '../ports/ports.ts';
import type { Span } from '../ports/telemetry.ts';
import { createAdmit } from './admit.ts';
import { createApprove, NOT_ASKED } from './approve.ts';
import { auditOutcome } from './audit-texts.ts';
import type { Approved, Effect, Found, Judged } from './effect.ts';
import type { Once, Turn } from './once/once.ts';
import type { Ending, NamedAccount, Names, Refusal } from './outcome.ts';
import type { Came, RecordCall } from './record.ts';
import { settle } from './settle.ts';
import { createTakeOnce, type Went } from './take-once.ts';

export type MakeCall = <J extends Judged, F extends Found, E extends Ending>(
  caller: KnownCaller,
  effect: Effect<J, F, E>,
) => Promise<(E | Refusal) & Names>;

type Needs = Pick<Ports, 'clock' | 'log'> & {
  calls: CallCounts;
  gate: Gate;
  once: Once;
  recordCall: RecordCall;
};

export function createMakeCall(deps: Needs): MakeCall {
  const { calls, clock, recordCall } = deps;
  const admit = createAdmit(deps);
  const approve = createApprove(deps);
  const takeOnce = createTakeOnce(deps);

  async function takeSteps<J extends Judged, F extends Found, E extends Ending>(
    caller: KnownCaller,
    effect: Effect<J, F, E>,
  ): Promise<Came<E>> {
    // The audit row says what was known when the call ended.
    let { access } = effect;
    let named: NamedAccount = {};
    let approval: string | null = null;
    const endWith = (ending: E | Refusal): Came<E> => ({ access, named, approval, ending });
    try {
      const admitted = admit(caller, effect);
      const permissions = admitted instanceof Promise ? await admitted : admitted;
      if ('ending' in permissions) return endWith(permissions.ending);
      const judging = effect.judge(caller, permissions);
      const judged = judging instanceof Promise ? await judging : judging;
      access = judged.access;
      if ('ending' in judged) return endWith(judged.ending);
      const finding = effect.findAccount(caller, judged);
      const found = finding instanceof Promise ? await finding : finding;
      named = found.named;
      if ('ending' in found) return endWith(found.ending);
      const goOn = async (turn: Turn | null): Promise<Went<E>> => {
        const asked = judged.asks ? await approve(caller, effect, judged, found, permissions) : NOT_ASKED;
        approval = asked.approval;
        if ('ending' in asked) return { ending: asked.ending };
        const run = (approved: Approved | null) => effect.run(caller, judged, found, approved, turn);
        const running = turn === null ? run(asked.approved) : turn.begin().then(() => run(asked.approved));
        return asked.approved === null ? running : settle(asked.approved, running);
      };
      const { once } = effect;
      // Most calls are this plain, and need nothing of what is made for the others.
      if (once === undefined && !judged.asks) {
        const ran = await effect.run(caller, judged, found, null, null);
        return { access, named, approval, ...ran };
      }
      const went = once === undefined ? await goOn(null) : await takeOnce(caller, once, judged, found, goOn);
      return { access, named, approval, ...went };
    } catch (error) {
      return endWith(effect.explain(caller, error, namesOf(effect, { named })));
    }
  }

  function takeTraced<J extends Judged, F extends Found, E extends Ending>(
    caller: KnownCaller,
    effect: Effect<J, F, E>,
  ): Promise<Came<E>> {
    const span = effect.span === undefined ? undefined : caller.span?.start(effect.span());
    return span === undefined ? takeSteps(caller, effect) : takeUnder(span, caller, effect);
  }

  async function takeUnder<J extends Judged, F extends Found, E extends Ending>(
    span: Span,
    caller: KnownCaller,
    effect: Effect<J, F, E>,
  ): Promise<Came<E>> {
    const came = await takeSteps({ ...caller, span }, effect);
    const { ending } = came;
    span.end({
      attributes: { 'gateway.outcome': auditOutcome(ending) },
      ...(ending.kind === 'success' ? {} : { error: ending.kind }),
    });
    return came;
  }

  return async function makeCall(caller, effect) {
    const tenant = serviceKeyIdOf(caller.actor);
    const over = calls.begin(caller.userId, tenant);
    if (over !== undefined) return { kind: 'too-many', ...over, ...namesOf(effect, { named: {} }) };
    try {
      const { isTimedWhole } = effect.manner;
      const started = isTimedWhole ? clock.millis() : 0;
      const came = await takeTraced(caller, effect);
      const milliseconds = isTimedWhole ? clock.millis() - started : (came.milliseconds ?? 0);
      const recorded = recordCall(caller, effect, came, milliseconds);
      if (recorded !== undefined) await recorded;
      return { ...came.ending, ...namesOf(effect, came) };
    } finally {
      calls.end(caller.userId, tenant);
    }
  };
}

const namesOf = (
  { integration, tool }: Pick<Effect<Judged, Found, Ending>, 'integration' | 'tool'>,
  { named }: Pick<Came<Ending>, 'named'>,
): Names => ({ integration: integration.name, tool, ...named });
