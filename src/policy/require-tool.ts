// Guards the routes that do what a tool does, so that they are no way around the rules for the tool. reference: Rules
import { ErrorCode } from '../http/error-codes.ts';
import { errorBody, HttpError } from '../http/errors.ts';
import { SESSION } from '../kit/actor.ts';
import type { Registries } from '../kit/registries.ts';
import type { RequireTool } from '../kit/require-tool.ts';
import type { Gate } from './model/gate.ts';

type Needs = {
  gate: Pick<Gate, 'permissionsOf' | 'blockedText'>;
  registries: Pick<Registries, 'builtIn'>;
};

export function createRequireTool({ gate, registries }: Needs): RequireTool {
  return async function requireTool(caller, name) {
    if (caller.actor.id === SESSION.id) return;
    const permissions = await gate.permissionsOf(caller);
    if (permissions.isOpen) return;
    const found = registries.builtIn.tool(name);
    if (found === null) throw new TypeError(`there is no built-in tool "${name}"`);
    const verdict = permissions.ofTool(found.integration, found.tool);
    if (verdict.decision === 'allow') return;
    const message =
      verdict.decision === 'block'
        ? gate.blockedText(verdict, name)
        : `A person has to approve each call of ${name}. Run the tool over /mcp or /rest, which asks them.`;
    throw new HttpError(403, errorBody(ErrorCode.BLOCKED, message));
  };
}
