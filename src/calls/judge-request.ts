// The step that judges a raw request by the rules and by the limits of its caller. reference: Rules; decision: 038
import type { Identity } from '../kit/actor.ts';
import type { Integration, RawTool } from '../kit/integration.ts';
import { possibleMethods } from '../kit/possible-methods.ts';
import type { Registries } from '../kit/registries.ts';
import { andThen } from '../memory/and-then.ts';
import type { Gate } from '../policy/model/gate.ts';
import type { Permissions } from '../policy/model/permissions.ts';
import { highestAccess, highestOf, isRaised, raisedAccesses } from '../policy/model/raw-access.ts';
import type { Judged, Refused } from './effect.ts';
import type { RawRequest } from './wire.ts';

export type JudgeRequest = (
  caller: Identity,
  permissions: Permissions,
  integration: Integration,
  request: RawRequest,
) => Judged | Refused<never> | Promise<Judged | Refused<never>>;

type Needs = { gate: Pick<Gate, 'blockedText' | 'outside'>; registries: Pick<Registries, 'builtIn'> };

export function createJudgeRequest({ gate, registries }: Needs): JudgeRequest {
  /** A rule may name a tool of an import that is left out or waits for a person, and a raw request could do what it does. */
  const toolsOf = (integration: Integration): readonly RawTool[] =>
    integration.imported === undefined
      ? registries.builtIn.toolsOf(integration)
      : [...integration.tools, ...(integration.imported.unlisted ?? [])];

  // An import that changes becomes another integration.
  const raisedTools = new WeakMap<Integration, readonly RawTool[]>();
  function raisedToolsOf(integration: Integration): readonly RawTool[] {
    const raised = raisedTools.get(integration) ?? toolsOf(integration).filter(isRaised);
    raisedTools.set(integration, raised);
    return raised;
  }

  return function judgeRequest(caller, permissions, integration, { method, path, hasForm }) {
    // Where no rule can apply, no list of tools is made.
    const tools = permissions.isOpen ? [] : toolsOf(integration);
    const methods = possibleMethods(method, { search: path.search, hasForm });
    const raised =
      integration.imported === undefined
        ? []
        : raisedAccesses(integration, raisedToolsOf(integration), { methods, path: path.tail });
    const judging = gate.outside.judge(caller, permissions, (by) =>
      by.ofRequest(integration, tools, methods, raised),
    );
    return andThen(judging, (verdict) => {
      const { because } = verdict;
      const access = highestOf([highestAccess(integration, methods), ...raised]);
      if (verdict.decision !== 'block') return { access, asks: verdict.decision === 'ask', because };
      const message = gate.blockedText(verdict, `${method} requests to ${integration.displayName}`);
      return { access, ending: { kind: 'blocked', message, because } };
    });
  };
}
