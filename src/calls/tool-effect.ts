// Says what each step of a call does where the call runs a tool. reference: Execution rules
import type { Connected } from '../connections/model/connected.ts';
import { canonicalJson } from '../json/canonical.ts';
import { readArguments } from '../json/exact-integers.ts';
import { compileSelect, type Select } from '../json/select.ts';
import { integrationLabel, type KnownCaller, type Parsed } from '../kit/integration.ts';
import { readsOutside } from '../kit/open-world.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import { andThen } from '../memory/and-then.ts';
import type { HeavyTurn } from '../memory/heavy-turns.ts';
import type { Gate } from '../policy/model/gate.ts';
import type { Permissions, Verdict } from '../policy/model/permissions.ts';
import { accessOfCall, rawAccesses } from '../policy/model/raw-access.ts';
import type { SpanStart } from '../ports/telemetry.ts';
import { CALLER_GONE, createExplainFailure, errorText } from './call-failure.ts';
import type { Effect, Judged, Manner, OnceEffect, Ran, Refused } from './effect.ts';
import { findConnection, type FoundConnection } from './find-connection.ts';
import type { ToolEnding } from './outcome.ts';
import type { Kept } from './once/kept.ts';
import { createSelectFrom } from './results/select-result.ts';
import type { Place } from './reading-order.ts';
import { createRunTool, endsOf, type RunNeeds, type ToolRun } from './run-tool.ts';

/** What a caller says of the call of a tool. */
export interface ToolRequest {
  args: unknown;
  /** A JMESPath expression that chooses a part of the result. */
  select?: string | undefined;
  /** The label of the account to use. */
  account?: string | undefined;
  /** Names this call. It runs once, however often it is sent with this name. */
  key?: string | undefined;
  /** The approval that the call must use, for a call that the gateway makes itself. It asks nobody anew. */
  approval?: string | undefined;
  /** The run of a script that makes the call. */
  script?: string | undefined;
  /** Where the call stands among those that run at the same time. */
  place?: Place | undefined;
  /** The run of a script that the call has begun before, for a call that the gateway makes again itself. */
  begun?: string | undefined;
}

interface JudgedTool extends Judged {
  /** What `parse` of the tool returned. */
  value: unknown;
  permissions: Permissions;
}

interface FoundForTool extends FoundConnection {
  select: Select | undefined;
}

export type ToolEffect = Effect<JudgedTool, FoundForTool, ToolEnding>;
export type ToolEffectOf = (found: RegisteredTool, request: ToolRequest) => ToolEffect;

export type ToolNeeds = Omit<RunNeeds, 'selectFrom'> & {
  connected: Connected;
  gate: Gate;
  heavyTurn: HeavyTurn;
};

/** A person who has used up all keys of a day gets the next one when the oldest is over. */
const FULL_SECONDS = 3_600;
const NOT_COMPARABLE =
  'these arguments cannot be compared with those of another call. Leave the key out, or write them as plain JSON';

const EXECUTION: Manner = { action: 'EXECUTE', isCounted: true, isAwaited: true, isTimedWhole: true };

export function createToolEffectOf(deps: ToolNeeds): ToolEffectOf {
  const { gate } = deps;
  const { clock, config, egress, log, openToolFiles, openUpstream } = deps;
  const selectFrom = createSelectFrom(deps);
  const runTool = createRunTool({ clock, config, egress, log, openToolFiles, openUpstream, selectFrom });
  const explainFailure = createExplainFailure(deps);

  /** Ends a repeat as the call itself did. */
  async function replay(
    { lease }: KnownCaller,
    { tool }: RegisteredTool,
    select: Select | undefined,
    kept: Kept,
  ): Promise<ToolEnding> {
    if (kept.kind === 'failure') {
      const { message, cure } = kept;
      return { kind: 'failed', message, ...(cure === undefined ? {} : { cure }), replayed: true };
    }
    const { result } = kept;
    const ending: ToolEnding =
      select === undefined ? { kind: 'success', result } : await selectFrom(result, select, tool, lease);
    return { ...ending, replayed: true };
  }

  function onceFor(
    registered: RegisteredTool,
    key: string,
  ): OnceEffect<JudgedTool, FoundForTool, ToolEnding> {
    const { tool, integration } = registered;
    return {
      callOf({ userId, actor }, { access, asks, value }, { connection }) {
        if (access === 'read' && tool.runAs === undefined) return null;
        const account = connection === null ? null : [connection.user_id, connection.account];
        const content = canonicalOf({ args: value, account });
        if (content === null) return { ending: { kind: 'invalid-arguments', message: NOT_COMPARABLE } };
        const importId = integration.imported?.id ?? '';
        const names = { integration: integration.name, importId, tool: tool.name };
        return { userId, caller: actor.id, ...names, key, content, asks };
      },
      async answer(caller, { value, permissions }, { select }, entered) {
        switch (entered.kind) {
          case 'kept':
            if (isOutsideRead(registered, permissions, value))
              await gate.outside.note(caller, permissions, tool.name);
            return replay(caller, registered, select, entered.kept);
          case 'full':
            return { ...entered, kind: 'too-many', retryAfterSeconds: FULL_SECONDS };
          case 'refused':
            return { ...entered, kind: 'not-repeated' };
        }
      },
    };
  }

  async function runOutside(
    caller: KnownCaller,
    registered: RegisteredTool,
    permissions: Permissions,
    run: ToolRun,
  ): Promise<Ran<ToolEnding>> {
    const { name } = registered.tool;
    // What a tool tells on its way is content too.
    if (caller.onProgress !== undefined) await gate.outside.note(caller, permissions, name);
    const ran = await runTool(caller, registered, run);
    await gate.outside.note(caller, permissions, name);
    return ran;
  }

  return function toolEffectOf(registered, request) {
    const { args, select: expression, account, approval, key, script, begun, place } = request;
    const { tool, integration } = registered;
    // The arguments decide what a raw request can do.
    const usual = tool.methodsOf === undefined ? tool.access : null;

    function judgedBy(
      permissions: Permissions,
      parsed: Parsed,
      verdict: Verdict,
    ): JudgedTool | Refused<ToolEnding> {
      const mayRead = parsed.ok && verdict.decision !== 'block';
      place?.tell(mayRead && isOutsideRead(registered, permissions, parsed.value) ? tool.name : null);
      const { because } = verdict;
      const blocked = verdict.decision === 'block' ? gate.blockedText(verdict, tool.name) : null;
      if (!parsed.ok)
        return {
          access: usual,
          ending:
            blocked === null
              ? { kind: 'invalid-arguments', message: parsed.message }
              : { kind: 'blocked', message: blocked, because },
        };
      const { value } = parsed;
      const access = accessOfCall(integration, tool, value);
      return blocked === null
        ? {
            access,
            asks: verdict.decision === 'ask' || approval !== undefined,
            because,
            value,
            permissions,
          }
        : { access, ending: { kind: 'blocked', message: blocked, because } };
    }

    return {
      integration,
      tool: tool.name,
      ...(script === undefined ? {} : { script }),
      manner: EXECUTION,
      access: usual,
      span: () => describeExecution(registered),
      ...(key === undefined ? {} : { once: onceFor(registered, key) }),
      whyStopped,

      judge(caller, permissions) {
        const parsed = tool.parse(args);
        const decided = gate.outside.judge(
          caller,
          permissions,
          (by) => by.ofTool(integration, tool, parsed.ok ? parsed.value : undefined),
          place,
        );
        return andThen(decided, (verdict) => judgedBy(permissions, parsed, verdict));
      },

      findAccount(caller, { access }) {
        // A wrong expression is found before the tool runs.
        const selecting = expression === undefined ? undefined : compileSelect(expression);
        return andThen(selecting, (select) =>
          andThen(findConnection(deps, caller, integration, { account, access }), (found) =>
            'ending' in found ? found : { ...found, select },
          ),
        );
      },

      async ask(caller, { value, because }, { connection, named }, permissions) {
        const unclear = whyUnclear(value);
        if (unclear !== null) return { ending: { kind: 'invalid-arguments', message: unclear } };
        const call = { integration, connection, ...named, tool, args: value, permissions, because, approval };
        return { entry: await gate.enter(caller, call) };
      },

      run(caller, { value, permissions }, { connection, named, select }, _approved, turn) {
        const names = { integration: integration.name, tool: tool.name, ...named };
        const redactions = permissions.redactionsOf(integration, tool);
        const run = { value, connection, select, names, redactions, turn, begun };
        return isOutsideRead(registered, permissions, value)
          ? runOutside(caller, registered, permissions, run)
          : runTool(caller, registered, run);
      },

      explain(caller, error, names) {
        const interrupted = { integration, names, ends: endsOf(caller, tool) };
        return explainFailure(caller, error, { ...interrupted, mayHaveRun: false, isRefused: false });
      },

      contentOf(ending, secrets) {
        const content = { args: readArguments(args), select: expression, secrets };
        if (ending.kind === 'failed' && ending.body !== undefined) return { ...content, result: ending.body };
        return 'result' in ending ? { ...content, result: ending.result } : content;
      },
    };
  };
}

function isOutsideRead(
  { integration, tool }: RegisteredTool,
  { afterOutside }: Permissions,
  value: unknown,
): boolean {
  if (afterOutside === null) return false;
  const levels = tool.methodsOf?.(value).flatMap((method) => rawAccesses(integration, method)) ?? [
    tool.access,
  ];
  return readsOutside(integration, tool, levels);
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

/** Returns null for what JSON cannot say. */
function canonicalOf(value: unknown): string | null {
  try {
    return canonicalJson(value);
  } catch {
    return null;
  }
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
