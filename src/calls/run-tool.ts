// The step that runs a tool: gives it what it may use, and tells what came of it.
import { grantIn, readConfigOf } from '../connections/model/config.ts';
import type { OpenUpstream } from '../connections/calls/upstream.ts';
import type { Egress } from '../egress/door.ts';
import { createIsTracedFurther } from '../egress/traced-further.ts';
import { traceFields } from '../egress/trace-context.ts';
import type { Select } from '../json/select.ts';
import type { KnownCaller, OpenToolFiles, ToolContext } from '../kit/integration.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import type { HeavyTurn } from '../memory/heavy-turns.ts';
import { orAborted } from '../memory/or-aborted.ts';
import type { RunEnd } from '../policy/model/approvals.ts';
import type { Ports } from '../ports/ports.ts';
import { type Connection, FIRST_ACCOUNT } from '../ports/records.ts';
import { createSelectFrom } from './results/select-result.ts';
import { createExplainFailure } from './call-failure.ts';
import type { Ran } from './effect.ts';
import type { Names, ToolEnding } from './outcome.ts';

interface ToolRun {
  /** The value that `parse` of the tool returned. */
  value: unknown;
  connection: Connection | null;
  select: Select | undefined;
  names: Names;
}

export type RunTool = (caller: KnownCaller, tool: RegisteredTool, run: ToolRun) => Promise<Ran<ToolEnding>>;

export type RunNeeds = Pick<Ports, 'clock' | 'config' | 'log'> & {
  egress: Egress;
  heavyTurn: HeavyTurn;
  openToolFiles: OpenToolFiles;
  openUpstream: OpenUpstream;
};

/** A caller that leaves does not interrupt a write half-way. Its audit row records how it ended. */
export const endsOf = (
  { signal, ended }: KnownCaller,
  { access }: RegisteredTool['tool'],
): AbortSignal | undefined => (access === 'read' ? signal : ended);

export function createRunTool({
  clock,
  config,
  egress,
  heavyTurn,
  log,
  openToolFiles,
  openUpstream,
}: RunNeeds): RunTool {
  const isTracedFurther = createIsTracedFurther(config);
  const explainFailure = createExplainFailure({ config, log });
  const selectFrom = createSelectFrom({ heavyTurn });

  return async function runTool(caller, { tool, integration }, { value, connection, select, names }) {
    const { userId, actor, ended, lease, onProgress, onAnswer, span } = caller;
    if (ended?.aborted === true)
      return { ending: { kind: 'access-ended', mayHaveRun: false }, end: 'failed', status: null };
    const ends = endsOf(caller, tool);
    const passesTrace = span !== undefined && isTracedFurther(integration);
    const last: { status: number | null } = { status: null };
    const onStatus = (status: number) => void (last.status = status);
    const fetcher = egress.bind({ signal: ends, lease, span, passesTrace, onStatus });
    const key = connection ?? { user_id: userId, integration: integration.name, account: FIRST_ACCOUNT };
    const { call, seen } = openUpstream({ key, integration, checked: connection, egress: fetcher });

    const openContext = (): ToolContext => ({
      userId,
      clock,
      upstream: call,
      fetch: fetcher.fetch,
      files: openToolFiles({ userId, signal: ends, lease }),
      by: { id: actor.id, name: actor.name },
      signal: ends,
      lease,
      onProgress,
      onAnswer,
      grant: grantIn(connection, integration),
      account: connection?.account ?? FIRST_ACCOUNT,
      // Few tools look at what the person chose, so only those pay for reading it.
      readConfig: () => (connection === null ? {} : readConfigOf(connection)),
      passedOn: passesTrace ? traceFields(span.context) : undefined,
    });

    let end: RunEnd = 'failed';
    try {
      // A tool that does not heed its signal goes on alone, and can begin no request.
      const running = tool.run(value, openContext());
      const result = (await (ended === undefined ? running : orAborted(running, ended))) ?? null;
      end = 'done';
      const ending: ToolEnding =
        select === undefined
          ? { kind: 'success', ...names, result }
          : await selectFrom(result, select, tool, lease);
      return { ending, end, ...last, secrets: seen.secrets };
    } catch (error) {
      const mayHaveRun = tool.access !== 'read';
      const { isRefused, secrets } = seen;
      const ending = explainFailure(caller, error, { integration, names, ends, mayHaveRun, isRefused });
      if (ending.kind === 'access-ended' && mayHaveRun) end = 'unknown';
      return { ending, end, ...last, secrets };
    }
  };
}
