// Executes one tool: validates its arguments, checks the connection, runs it, audits and counts it. decision: 031
import {
  codeOfChoice,
  howToChoose,
  howToConnect,
  howToReconnect,
  type Connected,
  WITHOUT_ACCOUNTS,
} from '../connections/connected.ts';
import { grantIn, readConfigOf } from '../connections/config.ts';
import { howFarTeamGoes, TEAM_LABEL } from '../connections/team.ts';
import { canonicalJson } from '../json/canonical.ts';
import { compileSelect, type Select, SelectError } from '../json/select.ts';
import { truncate } from '../json/truncate.ts';
import { ErrorCode } from '../http/error-codes.ts';
import { describe, FAILED_ITSELF, UNAVAILABLE } from '../http/errors.ts';
import type { NoAccount } from '../connections/accounts.ts';
import type { CallContent, CallDetails } from '../audit/details/details.ts';
import type { AuditRecorder } from '../audit/recorder.ts';
import type { Egress } from '../egress/door.ts';
import type { InFlight } from './in-flight.ts';
import type { CallCounts } from '../memory/per-person.ts';
import type { OpenUpstream } from '../connections/calls/upstream.ts';
import type { Ports } from '../ports/ports.ts';
import {
  type Integration,
  integrationLabel,
  type KnownCaller,
  type OpenToolFiles,
  type Tool,
} from '../kit/integration.ts';
import type { Access } from '../kit/access.ts';
import { isObject, readArguments } from '../json/json.ts';
import type { Lease } from '../memory/budget.ts';
import { orAborted } from '../memory/or-aborted.ts';
import { approvalIdOf, type Entry } from '../policy/approvals.ts';
import { type AccountOwner, FIRST_ACCOUNT } from '../ports/records.ts';
import { DriverFailure } from '../ports/driver-failure.ts';
import type { LogLevel } from '../ports/log.ts';
import type { Span, SpanStart } from '../ports/telemetry.ts';
import { Unavailable } from '../ports/unavailable.ts';
import type { Gate } from '../policy/gate.ts';
import { accessOfCall } from '../policy/raw-access.ts';
import { createIsTracedFurther } from '../egress/traced-further.ts';
import { traceFields } from '../egress/trace-context.ts';
import { auditError, auditOutcome } from './audit-texts.ts';
import type { Outcome } from './outcome.ts';
import type { Registries } from '../kit/registries.ts';
import type { RegisteredTool } from '../kit/registry.ts';

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
  /** The secrets of the connection. */
  secrets?: () => string[];
}

export function createExecute(deps: Needs): Execute {
  const { clock, log, metrics, audit, calls, callDetails, registries, connected, config } = deps;
  const { executions, openToolFiles, openUpstream, egress, gate } = deps;
  const isTracedFurther = createIsTracedFurther(config);

  async function attempt(
    caller: KnownCaller,
    { tool, integration }: RegisteredTool,
    { args, select: expression, account }: Execution,
    facts: Facts,
  ): Promise<Outcome> {
    const { userId, requestId, signal, ended, lease, span } = caller;
    const names: { integration: string; tool: string; account?: string; owner?: AccountOwner } = {
      integration: integration.name,
      tool: tool.name,
    };
    const isOver = () => ended?.aborted === true;
    if (isOver()) return { kind: 'access-ended', ...names, mayHaveRun: false };
    if (signal?.aborted === true) return { kind: 'failed', ...names, message: CALLER_GONE };
    // A caller that leaves does not interrupt a write half-way. Its audit row records how it ended.
    const ends = tool.access === 'read' ? signal : ended;
    let mayHaveRun = false;
    let isRefused = false;
    let run: Run | undefined;
    let isDone = false;
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
      const isOpen = integration.auth.type === 'none';
      if (isOpen && account !== undefined)
        return { ...refuseChoice(integration, WITHOUT_ACCOUNTS), ...names };
      const found = isOpen
        ? null
        : await connected.find(userId, integration, { account, access: facts.access ?? tool.access });
      if (found !== null && 'labels' in found) return { ...refuseChoice(integration, found), ...names };
      if (found?.kind === 'over-ceiling') {
        const message = howFarTeamGoes(integration, found.ceiling);
        return { kind: 'blocked', ...names, account: TEAM_LABEL, owner: 'team', message };
      }
      if (found?.account !== undefined) names.account = found.account;
      if (found?.owner !== undefined) names.owner = found.owner;
      if (found?.kind === 'not-connected')
        return { kind: 'not-connected', ...names, message: howToConnect(integration, config) };
      const connection = found?.connection ?? null;
      if (verdict.decision === 'ask') {
        const unclear = whyUnclear(parsed.value);
        if (unclear !== null) return { kind: 'invalid-arguments', ...names, message: unclear };
        const call = {
          integration,
          connection,
          account: names.account,
          owner: names.owner,
          tool,
          args: parsed.value,
          permissions,
        };
        const entry = await gate.enter(caller, call);
        facts.approval = approvalIdOf(entry);
        if (entry.kind !== 'run') return { ...toOutcome(entry), ...names };
        run = entry;
      }
      const passesTrace = span !== undefined && isTracedFurther(integration);
      const onStatus = (status: number) => void (facts.status = status);
      const fetcher = egress.bind({ signal: ends, lease, span, passesTrace, onStatus });
      const upstream = openUpstream(
        connection ?? { user_id: userId, integration: integration.name, account: FIRST_ACCOUNT },
        integration,
        connection,
        fetcher,
        () => (isRefused = true),
        (secrets) => (facts.secrets = secrets),
      );
      const files = openToolFiles({ userId, signal: ends, lease });
      if (isOver()) return { kind: 'access-ended', ...names, mayHaveRun };
      mayHaveRun = tool.access !== 'read';
      const context = {
        userId,
        clock,
        upstream,
        fetch: fetcher.fetch,
        files,
        by: { id: caller.actor.id, name: caller.actor.name },
        signal: ends,
        lease,
        grant: grantIn(connection, integration),
        account: connection?.account ?? FIRST_ACCOUNT,
        // Few tools look at what the person chose, so only those pay for reading it.
        readConfig: () => (connection === null ? {} : readConfigOf(connection)),
        passedOn: passesTrace ? traceFields(span.context) : undefined,
      };
      // A tool that does not heed its signal goes on alone, and can begin no request.
      const running = tool.run(parsed.value, context);
      const result = await (ended === undefined ? running : orAborted(running, ended));
      isDone = true;
      return select === undefined
        ? { kind: 'success', ...names, result: result ?? null }
        : { ...selectFrom(result ?? null, select, tool, lease), ...names };
    } catch (error) {
      if (isOver()) {
        log.write('info', 'tool ended with the access of its person', { requestId, ...names });
        return { kind: 'access-ended', ...names, mayHaveRun };
      }
      if (error instanceof SelectError)
        return { kind: 'invalid-arguments', ...names, message: error.message };
      const { level, ...failure } = ends?.aborted === true ? CANCELLED : failureOf(error);
      log.write(level, 'tool failed', { requestId, user: userId, ...names, ...describe(error) });
      const cure = isRefused ? howToReconnect(integration, config) : undefined;
      return failure.kind === 'failed' && cure !== undefined
        ? { kind: 'failed', message: failure.message, cure, ...names }
        : { ...failure, ...names };
    } finally {
      await finish(run, isDone);
    }
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

  /** A store that fails now leaves the run to be found as lost: its result is worth more than this note. */
  async function finish(run: Run | undefined, success: boolean): Promise<void> {
    try {
      await run?.finish(success);
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
      const success = outcome.kind === 'success' || outcome.kind === 'select-failed';
      metrics.execution(integrationLabel(found.integration), success);
      const details = callDetails.begin(caller.userId);
      const recorded = audit.record({
        user_id: caller.userId,
        integration: found.integration.name,
        tool: found.tool.name,
        action: 'EXECUTE',
        success,
        error: auditError(outcome),
        duration_ms: Math.round(clock.millis() - started),
        created_at: clock.now(),
        actor: caller.actor.id,
        account: outcome.account ?? null,
        owner: outcome.owner ?? null,
        outcome: auditOutcome(outcome),
        client_name: caller.actor.name,
        access: facts.access,
        request_id: caller.requestId ?? null,
        approval: facts.approval,
        status: facts.status,
        details: details?.id ?? null,
      });
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

function contentOf({ args, select }: Execution, outcome: Outcome, { secrets }: Facts): CallContent {
  const content = { args: readArguments(args), select, secrets };
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

const refuseChoice = (integration: Integration, none: NoAccount) =>
  ({
    kind: 'no-account',
    error: codeOfChoice(none),
    message: howToChoose(integration, none),
    accounts: none.labels,
  }) as const;

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

type Selected =
  | { kind: 'success'; result: unknown; hint?: string }
  | { kind: 'select-failed'; message: string; result?: unknown };

/** Applies the expression. The result of a tool that changes something is never lost. */
function selectFrom(result: unknown, select: Select, { access }: Tool, lease: Lease | undefined): Selected {
  try {
    const { value, characters } = select(result);
    lease?.charge(characters);
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    const hint = isEmpty ? describeShape(result) : null;
    return hint === null
      ? { kind: 'success', result: value }
      : { kind: 'success', result: value, hint: `select found nothing: ${hint}` };
  } catch (error) {
    if (!(error instanceof SelectError)) throw error;
    const message = truncate(error.message);
    return { kind: 'select-failed', message, ...(access === 'read' ? {} : { result }) };
  }
}

const MAX_SHOWN_KEYS = 30;

/** Says what a result is, so that the next expression fits. Returns null for a result without anything in it. */
function describeShape(result: unknown): string | null {
  if (Array.isArray(result)) {
    const [first] = result;
    if (first === undefined) return null;
    return isObject(first)
      ? `the result is a list of objects with ${describeKeys(first)}`
      : `the result is a list of ${typeof first}s`;
  }
  if (isObject(result))
    return Object.keys(result).length === 0 ? null : `the result is an object with ${describeKeys(result)}`;
  return result === null || result === '' ? null : `the result is a ${typeof result}`;
}

function describeKeys(value: object): string {
  const keys = Object.keys(value);
  const shown = keys.slice(0, MAX_SHOWN_KEYS).map((key) => truncate(key.slice(0, 100)));
  return shown.join(', ') + (keys.length > shown.length ? ' …' : '');
}

interface ExecutionFailure {
  kind: 'unavailable' | 'failed';
  message: string;
  level: LogLevel;
}

const CALLER_GONE = 'Cancelled by the caller';
const CANCELLED: ExecutionFailure = { kind: 'failed', message: CALLER_GONE, level: 'info' };

/** Keeps the texts of drivers out of the answer: only the log may have them. */
function failureOf(error: unknown): ExecutionFailure {
  if (error instanceof Unavailable) return { kind: 'unavailable', message: UNAVAILABLE, level: 'error' };
  if (error instanceof DriverFailure) return { kind: 'failed', message: FAILED_ITSELF, level: 'error' };
  return { kind: 'failed', message: errorText(error), level: 'warn' };
}

function errorText(error: unknown): string {
  if (!(error instanceof Error) || error.message === '') return 'The tool failed without a message';
  // A service must not pass its own text off as a code of the gateway.
  return Object.hasOwn(ErrorCode, error.message)
    ? `The tool failed: ${error.message}`
    : truncate(error.message);
}
