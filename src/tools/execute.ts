// Executes one tool: validates its arguments, checks the connection, runs it, audits and counts it. decision: 031
import {
  codeOfChoice,
  howToChoose,
  howToConnect,
  howToReconnect,
  type Connected,
} from '../connections/connected.ts';
import { grantIn } from '../connections/config.ts';
import { canonicalJson } from '../json/canonical.ts';
import { compileSelect, type Select, SelectError } from '../json/select.ts';
import { truncate } from '../json/truncate.ts';
import { ErrorCode, ErrorText } from '../http/error-codes.ts';
import { describe, FAILED_ITSELF, UNAVAILABLE } from '../http/errors.ts';
import type { NoAccount } from '../connections/accounts.ts';
import type { AuditRecorder } from '../audit/recorder.ts';
import type { Egress } from '../egress/door.ts';
import type { InFlight } from './in-flight.ts';
import type { CallCounts } from '../memory/per-person.ts';
import type { OpenUpstream } from '../connections/calls/upstream.ts';
import type { Ports } from '../ports/ports.ts';
import type { Integration, KnownCaller, OpenToolFiles, Tool } from '../kit/integration.ts';
import { isObject } from '../json/json.ts';
import type { Lease } from '../memory/budget.ts';
import type { Entry } from '../policy/approvals.ts';
import { type AuditOutcome, FIRST_ACCOUNT } from '../ports/records.ts';
import { DriverFailure } from '../ports/driver-failure.ts';
import type { LogLevel } from '../ports/log.ts';
import { Unavailable } from '../ports/unavailable.ts';
import type { Gate } from '../policy/gate.ts';
import { accessOfCall } from '../policy/raw-access.ts';
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
  calls: CallCounts;
  registries: Registries;
  connected: Connected;
  executions: InFlight;
  openToolFiles: OpenToolFiles;
  openUpstream: OpenUpstream;
  egress: Egress;
  gate: Gate;
};

export function createExecute(deps: Needs): Execute {
  const { clock, log, metrics, audit, calls, registries, connected, config, executions } = deps;
  const { openToolFiles, openUpstream, egress, gate } = deps;

  async function attempt(
    caller: KnownCaller,
    { tool, integration }: RegisteredTool,
    { args, select: expression, account }: Execution,
  ): Promise<Outcome> {
    const { userId, requestId, signal, lease } = caller;
    const names: { integration: string; tool: string; account?: string } = {
      integration: integration.name,
      tool: tool.name,
    };
    if (signal?.aborted === true) return { kind: 'failed', ...names, message: CALLER_GONE };
    // A write is never interrupted half-way. Its audit row records how it ended.
    const ends = tool.access === 'read' ? signal : undefined;
    let isRefused = false;
    let run: Run | undefined;
    let isDone = false;
    try {
      const permissions = await gate.permissionsOf(caller);
      const over = gate.count(caller, permissions);
      if (over !== undefined) return { kind: 'too-many', ...names, ...over };
      const parsed = tool.parse(args);
      const verdict = permissions.ofTool(integration, tool, parsed.ok ? parsed.value : undefined);
      if (verdict.decision === 'block')
        return { kind: 'blocked', ...names, message: gate.blockedText(verdict, tool.name) };
      if (!parsed.ok) return { kind: 'invalid-arguments', ...names, message: parsed.message };
      // A wrong expression is found before the tool runs.
      const select = expression === undefined ? undefined : await compileSelect(expression);
      const isOpen = integration.auth.type === 'none';
      const found = isOpen
        ? null
        : await connected.find(userId, integration, {
            account,
            access: accessOfCall(integration, tool, parsed.value),
          });
      if (found !== null && 'labels' in found) return { ...refuseChoice(integration, found), ...names };
      if (found?.account !== undefined) names.account = found.account;
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
          tool,
          args: parsed.value,
          permissions,
        };
        const entry = await gate.enter(caller, call);
        if (entry.kind !== 'run') return { ...toOutcome(entry), ...names };
        run = entry;
      }
      const fetcher = egress.bind({ signal: ends, lease });
      const upstream = openUpstream(
        connection ?? { user_id: userId, integration: integration.name, account: FIRST_ACCOUNT },
        integration,
        connection,
        fetcher,
        () => (isRefused = true),
      );
      const files = openToolFiles({ userId, signal: ends, lease });
      const result = await tool.run(parsed.value, {
        userId,
        clock,
        upstream,
        fetch: fetcher.fetch,
        files,
        signal: ends,
        lease,
        grant: grantIn(connection, integration),
        account: connection?.account ?? FIRST_ACCOUNT,
      });
      isDone = true;
      return select === undefined
        ? { kind: 'success', ...names, result: result ?? null }
        : { ...selectFrom(result ?? null, select, tool, lease), ...names };
    } catch (error) {
      if (error instanceof SelectError)
        return { kind: 'invalid-arguments', ...names, message: error.message };
      const { level, ...failure } = ends?.aborted === true ? CANCELLED : failureOf(error);
      log.write(level, 'tool failed', { requestId, ...names, ...describe(error) });
      const cure = isRefused ? howToReconnect(integration, config) : undefined;
      return failure.kind === 'failed' && cure !== undefined
        ? { kind: 'failed', message: failure.message, cure, ...names }
        : { ...failure, ...names };
    } finally {
      await finish(run, isDone);
    }
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
      const outcome = await attempt(caller, found, execution);
      // A key that calls too often does not fill the record.
      if (outcome.kind === 'too-many') return outcome;
      const success = outcome.kind === 'success' || outcome.kind === 'select-failed';
      metrics.execution(labelOf(found.integration), success);
      await audit.record({
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
        outcome: auditOutcome(outcome),
      });
      return outcome;
    } finally {
      executions.end();
      calls.end(caller.userId);
    }
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
  // Nobody was asked, so the call stays forbidden.
  return entry.kind === 'refused' ? ({ ...entry, kind: 'blocked' } as const) : entry;
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

/** People choose the names of imports, so these must not become labels of metrics. */
const labelOf = ({ imported, name }: Integration): string => (imported === undefined ? name : 'imported');

function auditError(outcome: Outcome): string | null {
  switch (outcome.kind) {
    case 'success':
    case 'select-failed':
      return null;
    case 'not-connected':
      return ErrorCode.NOT_CONNECTED;
    case 'no-account':
      return outcome.error;
    case 'tool-not-found':
      return ErrorText.TOOL_NOT_FOUND;
    case 'invalid-arguments':
      return truncate(`${ErrorText.INVALID_ARGUMENTS}: ${outcome.message}`);
    case 'blocked':
      return ErrorCode.BLOCKED;
    case 'asked':
      return ErrorCode.APPROVAL_REQUIRED;
    case 'denied':
      return ErrorCode.DENIED;
    case 'too-many':
    case 'unavailable':
    case 'failed':
      return outcome.message;
  }
}

function auditOutcome({ kind }: Outcome): AuditOutcome {
  switch (kind) {
    case 'success':
    case 'select-failed':
      return 'ok';
    case 'blocked':
    case 'asked':
    case 'denied':
      return kind;
    default:
      return 'error';
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
