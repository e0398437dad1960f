// Executes one tool: validates its arguments, checks the connection, runs it, audits and counts it. decision: 031
import { grantIn, readConfigOf } from '../connections/config.ts';
import { type Connected, howToReconnect } from '../connections/connected.ts';
import type { OpenedUpstream, OpenUpstream } from '../connections/calls/upstream.ts';
import { auditEntry } from '../audit/entry.ts';
import type { AuditRecorder } from '../audit/recorder.ts';
import type { CallContent, CallDetails } from '../audit/details/details.ts';
import type { Egress } from '../egress/door.ts';
import { createIsTracedFurther } from '../egress/traced-further.ts';
import { traceFields } from '../egress/trace-context.ts';
import { describe } from '../http/errors.ts';
import { canonicalJson } from '../json/canonical.ts';
import { readArguments } from '../json/json.ts';
import { compileSelect, SelectError } from '../json/select.ts';
import type { Access } from '../kit/access.ts';
import {
  type Integration,
  integrationLabel,
  type KnownCaller,
  type OpenToolFiles,
  type ToolContext,
} from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import { orAborted } from '../memory/or-aborted.ts';
import type { CallCounts } from '../memory/per-person.ts';
import { approvalIdOf, type Entry, type RunEnd } from '../policy/approvals.ts';
import type { Gate } from '../policy/gate.ts';
import { accessOfCall } from '../policy/raw-access.ts';
import type { Ports } from '../ports/ports.ts';
import { type Connection, FIRST_ACCOUNT } from '../ports/records.ts';
import type { Span, SpanStart } from '../ports/telemetry.ts';
import { auditError, auditOutcome } from './audit-texts.ts';
import { CALLER_GONE, CANCELLED, errorText, failureOf } from './call-failure.ts';
import { findConnection } from './find-connection.ts';
import type { InFlight } from './in-flight.ts';
import type { Outcome } from './outcome.ts';
import { selectFrom } from '../results/select-result.ts';

export interface Execution {
  /** The name as the caller wrote it. */
  tool: string;
  /** The only integration to look in. Null looks in all of them. */
  within: Integration | null;
  args: unknown;
  /** A JMESPath expression that chooses a part of the result. */
  select?: string | undefined;
  /** The label of the account to use. */
  account?: string | undefined;
}

export type Execute = (caller: KnownCaller, execution: Execution) => Promise<Outcome>;

type Needs = Pick<Ports, 'clock' | 'log' | 'metrics' | 'config'> & {
  audit: AuditRecorder;
  callDetails: CallDetails;
  calls: CallCounts;
  registries: Registries;
  connected: Connected;
  executions: InFlight;
  openToolFiles: OpenToolFiles;
  openUpstream: OpenUpstream;
  egress: Egress;
  gate: Gate;
};

/** What the audit row says of a call beside its outcome. */
interface Facts {
  access: Access | null;
  /** The id of the approval that the call needed. */
  approval: string | null;
  /** The last status of the provider. */
  status: number | null;
  /** What the calls of the tool have shown. */
  seen?: OpenedUpstream['seen'];
}

/** The names that every outcome carries. */
type Names = Pick<Outcome, 'account' | 'owner'> & { integration: string; tool: string };

export function createExecute(deps: Needs): Execute {
  const { clock, log, metrics, audit, calls, callDetails, registries, config } = deps;
  const { executions, openToolFiles, openUpstream, egress, gate } = deps;
  const isTracedFurther = createIsTracedFurther(config);

  async function attempt(
    caller: KnownCaller,
    { tool, integration }: RegisteredTool,
    { args, select: expression, account }: Execution,
    facts: Facts,
  ): Promise<Outcome> {
    const { userId, requestId, signal, ended, lease } = caller;
    let names: Names = { integration: integration.name, tool: tool.name };
    const isOver = () => ended?.aborted === true;
    if (isOver()) return { kind: 'access-ended', ...names, mayHaveRun: false };
    if (signal?.aborted === true) return { kind: 'failed', ...names, message: CALLER_GONE };
    // A caller that leaves does not interrupt a write half-way. Its audit row records how it ended.
    const ends = tool.access === 'read' ? signal : ended;
    let mayHaveRun = false;
    let run: Run | undefined;
    let end: RunEnd = 'failed';
    try {
      const permissions = await gate.permissionsOf(caller);
      const over = gate.count(caller, permissions);
      if (over !== undefined) return { kind: 'too-many', ...names, ...over };
      const parsed = tool.parse(args);
      if (parsed.ok) facts.access = accessOfCall(integration, tool, parsed.value);
      const verdict = permissions.ofTool(integration, tool, parsed.ok ? parsed.value : undefined);
      if (verdict.decision === 'block')
        return { kind: 'blocked', ...names, message: gate.blockedText(verdict, tool.name) };
      if (!parsed.ok) return { kind: 'invalid-arguments', ...names, message: parsed.message };
      // A wrong expression is found before the tool runs.
      const select = expression === undefined ? undefined : await compileSelect(expression);
      const found = await findConnection(deps, userId, integration, {
        account,
        access: facts.access ?? tool.access,
      });
      names = { ...names, ...found.named };
      if (found.refusal !== undefined) return { ...found.refusal, ...names };
      const { connection } = found;
      if (verdict.decision === 'ask') {
        const unclear = whyUnclear(parsed.value);
        if (unclear !== null) return { kind: 'invalid-arguments', ...names, message: unclear };
        const { account: label, owner } = names;
        const entry = await gate.enter(caller, {
          integration,
          connection,
          account: label,
          owner,
          tool,
          args: parsed.value,
          permissions,
        });
        facts.approval = approvalIdOf(entry);
        if (entry.kind !== 'run') return { ...toOutcome(entry), ...names };
        run = entry;
      }
      const context = contextOf(caller, integration, connection, ends, facts);
      if (isOver()) return { kind: 'access-ended', ...names, mayHaveRun };
      mayHaveRun = tool.access !== 'read';
      // A tool that does not heed its signal goes on alone, and can begin no request.
      const running = tool.run(parsed.value, context);
      const result = await (ended === undefined ? running : orAborted(running, ended));
      end = 'done';
      return select === undefined
        ? { kind: 'success', ...names, result: result ?? null }
        : { ...selectFrom(result ?? null, select, tool, lease), ...names };
    } catch (error) {
      if (isOver()) {
        if (mayHaveRun) end = 'unknown';
        log.write('info', 'tool ended with the access of its person', { requestId, ...names });
        return { kind: 'access-ended', ...names, mayHaveRun };
      }
      if (error instanceof SelectError)
        return { kind: 'invalid-arguments', ...names, message: error.message };
      const { level, ...failure } = ends?.aborted === true ? CANCELLED : failureOf(error);
      log.write(level, 'tool failed', { requestId, user: userId, ...names, ...describe(error) });
      const cure = facts.seen?.isRefused === true ? howToReconnect(integration, config) : undefined;
      return failure.kind === 'failed' && cure !== undefined
        ? { kind: 'failed', message: failure.message, cure, ...names }
        : { ...failure, ...names };
    } finally {
      await finish(run, end);
    }
  }

  /** Everything that the tool may use. */
  function contextOf(
    caller: KnownCaller,
    integration: Integration,
    connection: Connection | null,
    ends: AbortSignal | undefined,
    facts: Facts,
  ): ToolContext {
    const { userId, actor, lease, span } = caller;
    const passesTrace = span !== undefined && isTracedFurther(integration);
    const onStatus = (status: number) => void (facts.status = status);
    const fetcher = egress.bind({ signal: ends, lease, span, passesTrace, onStatus });
    const key = connection ?? { user_id: userId, integration: integration.name, account: FIRST_ACCOUNT };
    const { call, seen } = openUpstream({ key, integration, checked: connection, egress: fetcher });
    facts.seen = seen;
    return {
      userId,
      clock,
      upstream: call,
      fetch: fetcher.fetch,
      files: openToolFiles({ userId, signal: ends, lease }),
      by: { id: actor.id, name: actor.name },
      signal: ends,
      lease,
      grant: grantIn(connection, integration),
      account: connection?.account ?? FIRST_ACCOUNT,
      // Few tools look at what the person chose, so only those pay for reading it.
      readConfig: () => (connection === null ? {} : readConfigOf(connection)),
      passedOn: passesTrace ? traceFields(span.context) : undefined,
    };
  }

  async function attemptTraced(
    caller: KnownCaller,
    parent: Span,
    found: RegisteredTool,
    execution: Execution,
    facts: Facts,
  ): Promise<Outcome> {
    const span = parent.start(describeExecution(found));
    const outcome = await attempt({ ...caller, span }, found, execution, facts);
    span.end({
      attributes: { 'gateway.outcome': auditOutcome(outcome) },
      ...(outcome.kind === 'success' ? {} : { error: outcome.kind }),
    });
    return outcome;
  }

  /** Never throws, because the result is worth more than this note. A run that was not noted becomes `unknown` later. */
  async function finish(run: Run | undefined, end: RunEnd): Promise<void> {
    try {
      await run?.finish(end);
    } catch (error) {
      log.write('error', 'the end of an approved call was not noted', describe(error));
    }
  }

  async function findImported(userId: string, { tool, within }: Execution): Promise<RegisteredTool | null> {
    if (within === null) return registries.tool(userId, tool);
    return within.imported === undefined ? null : (await registries.of(userId)).toolOf(within, tool);
  }

  return async function execute(caller, execution) {
    const { tool, within } = execution;
    const { builtIn } = registries;
    const found =
      (within === null ? builtIn.tool(tool) : builtIn.toolOf(within, tool)) ??
      (await findImported(caller.userId, execution));
    if (found === null) return { kind: 'tool-not-found', tool, within, integration: within?.name ?? null };
    const over = calls.begin(caller.userId);
    if (over !== undefined)
      return { kind: 'too-many', integration: found.integration.name, tool: found.tool.name, ...over };
    executions.begin();
    try {
      const started = clock.millis();
      // The arguments decide what a raw request can do.
      const access = found.tool.methodsOf === undefined ? found.tool.access : null;
      const facts: Facts = { access, approval: null, status: null };
      const { span } = caller;
      const outcome = await (span === undefined
        ? attempt(caller, found, execution, facts)
        : attemptTraced(caller, span, found, execution, facts));
      // A key that calls too often does not fill the record.
      if (outcome.kind === 'too-many') return outcome;
      const error = auditError(outcome);
      metrics.execution(integrationLabel(found.integration), error === null);
      const details = callDetails.begin(caller.userId);
      const recorded = audit.record(
        auditEntry({
          userId: caller.userId,
          actor: caller.actor,
          requestId: caller.requestId,
          action: 'EXECUTE',
          integration: found.integration.name,
          tool: found.tool.name,
          outcome: auditOutcome(outcome),
          error,
          milliseconds: clock.millis() - started,
          at: clock.now(),
          ...(outcome.account === undefined ? {} : { account: outcome.account }),
          ...(outcome.owner === undefined ? {} : { owner: outcome.owner }),
          access: facts.access,
          approval: facts.approval,
          status: facts.status,
          details: details?.id,
        }),
      );
      // The details are copied while the row is written.
      details?.fill(contentOf(execution, outcome, facts));
      await recorded;
      return outcome;
    } finally {
      executions.end();
      calls.end(caller.userId);
    }
  };
}

function contentOf({ args, select }: Execution, outcome: Outcome, { seen }: Facts): CallContent {
  const content = { args: readArguments(args), select, secrets: seen?.secrets };
  return 'result' in outcome ? { ...content, result: outcome.result } : content;
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

type Run = Extract<Entry, { kind: 'run' }>;

function toOutcome(entry: Exclude<Entry, Run>) {
  switch (entry.kind) {
    case 'asked':
      return entry;
    case 'denied':
      return { kind: 'denied', message: entry.message } as const;
    case 'refused':
      // Nobody was asked, so the call stays forbidden.
      return { kind: 'blocked', message: entry.message } as const;
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
