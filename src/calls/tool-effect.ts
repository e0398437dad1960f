// Says what each step of a call does where the call runs a tool. reference: Execution rules
import type { Connected } from '../connections/model/connected.ts';
import { canonicalJson } from '../json/canonical.ts';
import { readArguments } from '../json/exact-integers.ts';
import { compileSelect, type Select } from '../json/select.ts';
import { integrationLabel, type KnownCaller } from '../kit/integration.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import type { Gate } from '../policy/model/gate.ts';
import { accessOfCall } from '../policy/model/raw-access.ts';
import type { SpanStart } from '../ports/telemetry.ts';
import { CALLER_GONE, createExplainFailure, errorText } from './call-failure.ts';
import type { Effect, Judged, Manner } from './effect.ts';
import { findConnection, type FoundConnection } from './find-connection.ts';
import type { ToolEnding } from './outcome.ts';
import { createRunTool, endsOf, type RunNeeds } from './run-tool.ts';

/** What a caller says of the call of a tool. */
export interface ToolRequest {
  args: unknown;
  /** A JMESPath expression that chooses a part of the result. */
  select?: string | undefined;
  /** The label of the account to use. */
  account?: string | undefined;
  /** The approval that the call must use, for a call that the gateway makes itself. It asks nobody anew. */
  approval?: string | undefined;
}

interface JudgedTool extends Judged {
  /** What `parse` of the tool returned. */
  value: unknown;
}

interface FoundForTool extends FoundConnection {
  select: Select | undefined;
}

export type ToolEffect = Effect<JudgedTool, FoundForTool, ToolEnding>;
export type ToolEffectOf = (found: RegisteredTool, request: ToolRequest) => ToolEffect;

export type ToolNeeds = RunNeeds & { connected: Connected; gate: Gate };

const EXECUTION: Manner = { action: 'EXECUTE', isCounted: true, isAwaited: true, isTimedWhole: true };

export function createToolEffectOf(deps: ToolNeeds): ToolEffectOf {
  const { gate } = deps;
  const runTool = createRunTool(deps);
  const explainFailure = createExplainFailure(deps);

  return function toolEffectOf(registered, { args, select: expression, account, approval }) {
    const { tool, integration } = registered;
    // The arguments decide what a raw request can do.
    const usual = tool.methodsOf === undefined ? tool.access : null;
    return {
      integration,
      tool: tool.name,
      manner: EXECUTION,
      access: usual,
      span: () => describeExecution(registered),
      whyStopped,

      judge(_caller, permissions) {
        const parsed = tool.parse(args);
        const verdict = permissions.ofTool(integration, tool, parsed.ok ? parsed.value : undefined);
        const blocked = verdict.decision === 'block' ? gate.blockedText(verdict, tool.name) : null;
        if (!parsed.ok)
          return {
            access: usual,
            ending:
              blocked === null
                ? { kind: 'invalid-arguments', message: parsed.message }
                : { kind: 'blocked', message: blocked },
          };
        const { value } = parsed;
        const access = accessOfCall(integration, tool, value);
        return blocked === null
          ? { access, asks: verdict.decision === 'ask' || approval !== undefined, value }
          : { access, ending: { kind: 'blocked', message: blocked } };
      },

      async findAccount({ userId }, { access }) {
        // A wrong expression is found before the tool runs.
        const select = expression === undefined ? undefined : await compileSelect(expression);
        const found = await findConnection(deps, userId, integration, { account, access });
        return 'ending' in found ? found : { ...found, select };
      },

      async ask(caller, { value }, { connection, named }, permissions) {
        const unclear = whyUnclear(value);
        if (unclear !== null) return { ending: { kind: 'invalid-arguments', message: unclear } };
        const call = { integration, connection, ...named, tool, args: value, permissions, approval };
        return { entry: await gate.enter(caller, call) };
      },

      run(caller, { value }, { connection, named, select }) {
        const names = { integration: integration.name, tool: tool.name, ...named };
        return runTool(caller, registered, { value, connection, select, names });
      },

      explain(caller, error, names) {
        const interrupted = { integration, names, ends: endsOf(caller, tool) };
        return explainFailure(caller, error, { ...interrupted, mayHaveRun: false, isRefused: false });
      },

      contentOf(ending, secrets) {
        const content = { args: readArguments(args), select: expression, secrets };
        return 'result' in ending ? { ...content, result: ending.result } : content;
      },
    };
  };
}

function whyStopped({ ended, signal }: KnownCaller): ToolEnding | null {
  if (ended?.aborted === true) return { kind: 'access-ended', mayHaveRun: false };
  return signal?.aborted === true ? { kind: 'failed', message: CALLER_GONE } : null;
}

/** The names are those of the semantic conventions for tools. People choose the names of imported tools. */
function describeExecution({ tool, integration }: RegisteredTool): SpanStart {
  const name = integration.imported === undefined ? tool.name : 'imported';
  return {
    name: `execute_tool ${name}`,
    kind: 'internal',
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gateway.integration': integrationLabel(integration),
      'gateway.access': tool.access,
    },
  };
}

/** A person approves only arguments that they can be shown exactly. */
function whyUnclear(args: unknown): string | null {
  try {
    canonicalJson(args);
    return null;
  } catch (error) {
    return `a person has to approve this call and could not be shown it: ${errorText(error)}`;
  }
}
