// The first step of a call: counts it for its key or client, and reads the rules that apply to it.
import type { KnownCaller } from '../kit/integration.ts';
import { andThen } from '../memory/and-then.ts';
import type { Gate } from '../policy/model/gate.ts';
import type { Permissions } from '../policy/model/permissions.ts';
import type { Ended } from './effect.ts';
import type { Ending } from './outcome.ts';

export type Admit = <E extends Ending>(
  caller: KnownCaller,
  effect: { whyStopped(caller: KnownCaller): E | null },
) => Permissions | Ended<E> | Promise<Permissions | Ended<E>>;

export function createAdmit({ gate }: { gate: Pick<Gate, 'count' | 'permissionsOf'> }): Admit {
  return function admit(caller, effect) {
    const stopped = effect.whyStopped(caller);
    if (stopped !== null) return { ending: stopped };
    return andThen(gate.permissionsOf(caller), (permissions) => {
      const over = gate.count(caller, permissions);
      return over === undefined ? permissions : { ending: { kind: 'too-many', ...over } };
    });
  };
}
