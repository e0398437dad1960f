// One execution: arguments validated, connection checked, handler run, audited and counted. design: A2
import { howToConnect, type Connected } from '../connections/connected.ts';
import { cut } from '../json/truncate.ts';
import { describe, FAILED_ITSELF, UNAVAILABLE } from '../http/errors.ts';
import type { AuditRecorder } from '../audit/recorder.ts';
import type { Egress } from '../egress/door.ts';
import type { InFlight } from './in-flight.ts';
import type { OpenUpstream } from '../connections/calls/upstream.ts';
import type { Ports } from '../ports/ports.ts';
import type { Caller, ToolContext } from '../kit/integration.ts';
import { DriverFailure } from '../ports/driver-failure.ts';
import type { LogLevel } from '../ports/log.ts';
import { Unavailable } from '../ports/unavailable.ts';
import type { Outcome } from './outcome.ts';
import type { RegisteredTool } from '../kit/registry.ts';

export interface Execution {
  /** Null when no tool of that name could be resolved. */
  found: RegisteredTool | null;
  /** The name as the caller gave it. */
  tool: string;
  /** Where the name was looked for; null for everywhere. */
  within: string | null;
  args: unknown;
}

export type Execute = (caller: Caller, execution: Execution) => Promise<Outcome>;

type Needs = Pick<Ports, 'clock' | 'log' | 'metrics' | 'config'> & {
  audit: AuditRecorder;
  connected: Connected;
  executions: InFlight;
  openUpstream: OpenUpstream;
  egress: Egress;
};

export function createExecute(deps: Needs): Execute {
  const { clock, log, metrics, audit, connected, config, executions, openUpstream, egress } = deps;

  async function attempt(
    { userId, requestId, signal, lease }: Caller,
    { tool, integration }: RegisteredTool,
    args: unknown,
  ): Promise<Outcome> {
    const names = { integration: integration.name, tool: tool.name };
    if (signal?.aborted === true) return { kind: 'failed', ...names, message: GONE };
    // What has begun to change something is not left half done: its audit row says what came of it.
    const ends = tool.access === 'read' ? signal : undefined;
    try {
      const parsed = tool.parse(args);
      if (!parsed.ok) return { kind: 'invalid-arguments', ...names, message: parsed.message };
      if (integration.auth.type !== 'none' && !(await connected.one(userId, integration))) {
        return { kind: 'not-connected', ...names, message: howToConnect(integration, config) };
      }
      const fetcher = egress.bind({ signal: ends, lease });
      const upstream: ToolContext['upstream'] = (call) => openUpstream(userId, integration, call, fetcher);
      const result = await tool.run(parsed.value, { userId, clock, upstream, fetch: fetcher.fetch });
      return { kind: 'success', ...names, result: result ?? null };
    } catch (error) {
      const { level, ...failure } = ends?.aborted === true ? CANCELLED : failureOf(error);
      log.write(level, 'tool failed', { requestId, ...names, ...describe(error) });
      return { ...failure, ...names };
    }
  }

  return async function execute(caller, { found, tool, within, args }) {
    if (found === null) return { kind: 'tool-not-found', tool, integration: within };
    executions.begin();
    try {
      const started = clock.millis();
      const outcome = await attempt(caller, found, args);
      const success = outcome.kind === 'success';
      metrics.execution(found.integration.name, success);
      await audit.record({
        user_id: caller.userId,
        integration: found.integration.name,
        tool: found.tool.name,
        action: 'EXECUTE',
        success,
        error: auditError(outcome),
        duration_ms: Math.round(clock.millis() - started),
        created_at: clock.now(),
      });
      return outcome;
    } finally {
      executions.end();
    }
  };
}

function auditError(outcome: Outcome): string | null {
  switch (outcome.kind) {
    case 'success':
      return null;
    case 'not-connected':
      return 'NOT_CONNECTED';
    case 'tool-not-found':
      return 'Tool not found';
    case 'invalid-arguments':
      return cut(`Invalid arguments: ${outcome.message}`);
    case 'unavailable':
    case 'failed':
      return outcome.message;
  }
}

interface Failure {
  kind: 'unavailable' | 'failed';
  message: string;
  level: LogLevel;
}

const GONE = 'The caller has gone';
const CANCELLED: Failure = { kind: 'failed', message: GONE, level: 'info' };

/** What a driver says of itself is for the log alone. */
function failureOf(error: unknown): Failure {
  if (error instanceof Unavailable) return { kind: 'unavailable', message: UNAVAILABLE, level: 'error' };
  if (error instanceof DriverFailure) return { kind: 'failed', message: FAILED_ITSELF, level: 'error' };
  return { kind: 'failed', message: errorText(error), level: 'warn' };
}

function errorText(error: unknown): string {
  const said = error instanceof Error && error.message !== '';
  return said ? cut(error.message) : 'The tool failed without saying why';
}
