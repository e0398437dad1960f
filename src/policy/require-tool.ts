// Guards the routes that do what a tool does, so that they are no way around the rules for the tool. reference: Rules
import { ErrorCode } from '../http/error-codes.ts';
import { errorBody, HttpError } from '../http/errors.ts';
import { SESSION } from '../kit/actor.ts';
import type { Registries } from '../kit/registries.ts';
import { readsOutside } from '../kit/open-world.ts';
import type { RequireTool } from '../kit/require-tool.ts';
import { sayReason } from './model/approvals.ts';
import type { Gate } from './model/gate.ts';

type Needs = {
  gate: Pick<Gate, 'outside' | 'permissionsOf' | 'blockedText'>;
  registries: Pick<Registries, 'builtIn'>;
};

export function createRequireTool({ gate, registries }: Needs): RequireTool {
  return async function requireTool(caller, name) {
    if (caller.actor.id === SESSION.id) return;
    const permissions = await gate.permissionsOf(caller);
    if (permissions.isOpen) return;
    const found = registries.builtIn.tool(name);
    if (found === null) throw new TypeError(`there is no built-in tool "${name}"`);
    const { integration, tool } = found;
    const verdict = await gate.outside.judge(caller, permissions, (by) => by.ofTool(integration, tool));
    if (verdict.decision === 'allow') {
      if (readsOutside(integration, tool, [tool.access])) await gate.outside.note(caller, permissions, name);
      return;
    }
    const which = verdict.because === undefined ? `each call of ${name}` : `${name}${sayReason(verdict)}`;
    const message =
      verdict.decision === 'block'
        ? gate.blockedText(verdict, name)
        : `A person has to approve ${which}. Run the tool over /mcp or /rest, which asks them.`;
    throw new HttpError(403, errorBody(ErrorCode.BLOCKED, message));
  };
}
