// Guards the routes that lend a whole session, so that they are no way around the rules for its integration. reference: Rules
import { ErrorCode } from '../http/error-codes.ts';
import { errorBody, HttpError } from '../http/errors.ts';
import { SESSION } from '../kit/actor.ts';
import type { Registries } from '../kit/registries.ts';
import type { RequireEveryCall } from '../kit/require-every-call.ts';
import type { Gate } from './model/gate.ts';

type Needs = {
  gate: Pick<Gate, 'outside' | 'permissionsOf' | 'blockedText'>;
  registries: Pick<Registries, 'toolsOf'>;
};

/** A method that no rule knows may do everything, and what any tool does. */
const ANY_METHOD = '*';

export function createRequireEveryCall({ gate, registries }: Needs): RequireEveryCall {
  return async function requireEveryCall(caller, integrations) {
    if (caller.actor.id === SESSION.id) return;
    const permissions = await gate.permissionsOf(caller);
    if (permissions.isOpen) return;
    for (const integration of integrations) {
      const tools = await registries.toolsOf(caller.userId, integration);
      const verdict = await gate.outside.judge(caller, permissions, (by) =>
        by.ofRequest(integration, tools, [ANY_METHOD]),
      );
      if (verdict.decision === 'allow') continue;
      const { displayName } = integration;
      const message =
        verdict.decision === 'block'
          ? gate.blockedText(
              verdict,
              `the browser and the cookies of ${displayName} with a key, because some of its calls are blocked`,
            )
          : `A person has to approve calls of ${displayName}, so only a person who is signed in to the portal uses its browser and its cookies. Sign in there to do it.`;
      throw new HttpError(403, errorBody(ErrorCode.BLOCKED, message));
    }
  };
}
