// The step that runs a tool: gives it what it may use, and tells what came of it.
import { grantIn, readConfigOf } from '../connections/model/config.ts';
import type { OpenUpstream } from '../connections/calls/upstream.ts';
import type { Egress } from '../egress/door.ts';
import { createIsTracedFurther } from '../egress/traced-further.ts';
import { traceFields } from '../egress/trace-context.ts';
import { isObject } from '../json/json.ts';
import { type Removed, removeSensitive, removeSensitiveIn, type Wanted } from '../json/sensitive.ts';
import type { Select } from '../json/select.ts';
import type { CallsEnd, KnownCaller, OpenToolFiles, ToolContext } from '../kit/integration.ts';
import type { ToolFiles } from '../kit/files.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import { orAborted } from '../memory/or-aborted.ts';
import type { RunEnd } from '../policy/model/approvals.ts';
import type { Ports } from '../ports/ports.ts';
import { type Connection, FIRST_ACCOUNT } from '../ports/records.ts';
import type { SelectFrom } from './results/select-result.ts';
import type { Left } from './once/kept.ts';
import type { Turn } from './once/once.ts';
import { createExplainFailure } from './call-failure.ts';
import { cleanFiles } from './clean-files.ts';
import type { Ran } from './effect.ts';
import type { Names, ToolEnding } from './outcome.ts';
import { createTrail } from './trail.ts';

export interface ToolRun {
  /** The value that `parse` of the tool returned. */
  value: unknown;
  connection: Connection | null;
  select: Select | undefined;
  names: Names;
  /** What is taken out of the result. Null takes out nothing. */
  redactions: Wanted | null;
  /** Set for a call with a key. */
  turn: Turn | null;
  /** What an earlier call of the same value has begun. */
  begun: string | undefined;
}

export type RunTool = (caller: KnownCaller, tool: RegisteredTool, run: ToolRun) => Promise<Ran<ToolEnding>>;

export type RunNeeds = Pick<Ports, 'clock' | 'config' | 'log'> & {
  egress: Egress;
  openToolFiles: OpenToolFiles;
  openUpstream: OpenUpstream;
  selectFrom: SelectFrom;
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
  log,
  openToolFiles,
  openUpstream,
  selectFrom,
}: RunNeeds): RunTool {
  const isTracedFurther = createIsTracedFurther(config);
  const explainFailure = createExplainFailure({ config, log });

  /** Waits for a tool that calls other tools. What it has come to is known, whatever its calls have. */
  async function runCalls(
    running: Promise<CallsEnd>,
    caller: KnownCaller,
    { tool, integration }: RegisteredTool,
    { select, names }: ToolRun,
  ): Promise<Ran<ToolEnding>> {
    const { ended, lease } = caller;
    try {
      const ran = await (ended === undefined ? running : orAborted(running, ended));
      if (ran.kind === 'asked')
        return { ending: ran, end: 'failed', status: null, left: { kind: 'nothing' } };
      if (ran.kind === 'failed')
        return { ending: ran, end: 'failed', status: null, left: { kind: 'failure', message: ran.message } };
      const { result, script } = ran;
      const ending: ToolEnding =
        select === undefined
          ? { kind: 'success', ...names, result }
          : // Its calls may have changed something, so its result is never lost.
            await selectFrom(result, select, { access: 'write' }, lease);
      return { ending: { ...ending, script }, end: 'done', status: null, left: { kind: 'result', result } };
    } catch (error) {
      const ends = endsOf(caller, tool);
      const ending = explainFailure(caller, error, {
        integration,
        names,
        ends,
        mayHaveRun: true,
        isRefused: false,
      });
      // Its process goes on, or is lost: either way its ledger knows more.
      return { ending, end: 'failed', status: null, left: { kind: 'doubt' } };
    }
  }

  return async function runTool(caller, registered, run) {
    const { value, connection, select, names, redactions, turn, begun } = run;
    const { tool, integration } = registered;
    const { userId, actor, ended, lease, onAnswer, onProgress, span } = caller;
    const removed: Removed = new Map();
    const clean = (given: unknown, count = removed): unknown =>
      redactions === null ? given : removeSensitiveIn(given, redactions, count);
    const cleanText = (text: string, count = removed): string =>
      redactions === null ? text : removeSensitive(text, redactions, count);
    // What comes from inside is what the caller has given itself.
    const filesOf = (files: ToolFiles): ToolFiles =>
      redactions === null || integration.isClosed === true
        ? files
        : cleanFiles(files, { clock, wanted: redactions, removed });
    if (ended?.aborted === true)
      return { ending: { kind: 'access-ended', mayHaveRun: false }, end: 'failed', status: null };
    if (tool.runAs !== undefined) return runCalls(tool.runAs(value, caller, begun), caller, registered, run);
    const ends = endsOf(caller, tool);
    const passesTrace = span !== undefined && isTracedFurther(integration);
    const last: { status: number | null } = { status: null };
    const onStatus = (status: number) => void (last.status = status);
    const trail = turn === null ? undefined : createTrail(registered);
    const onRedirect = trail?.onRedirect;
    const bound = egress.bind({ signal: ends, lease, span, passesTrace, onStatus, onRedirect });
    const fetcher = trail?.follow(bound) ?? bound;
    const key = connection ?? { user_id: userId, integration: integration.name, account: FIRST_ACCOUNT };
    const providerKey = turn?.providerKey;
    const { call, seen } = openUpstream({
      key,
      integration,
      checked: connection,
      egress: fetcher,
      providerKey,
    });

    const openContext = (): ToolContext => ({
      userId,
      clock,
      upstream: call,
      fetch: fetcher.fetch,
      files: filesOf(openToolFiles({ userId, signal: ends, lease })),
      by: { id: actor.id, name: actor.name },
      caller,
      providerKey,
      signal: ends,
      lease,
      onProgress:
        onProgress &&
        (({ message, ...progress }) => {
          const said = message === undefined ? {} : { message: cleanText(message, new Map()) };
          onProgress({ ...progress, ...said });
        }),
      onAnswer:
        onAnswer &&
        ((answer) => {
          const cleaned = clean(answer, new Map());
          if (isObject(cleaned)) onAnswer(cleaned);
        }),
      grant: grantIn(connection, integration),
      account: connection?.account ?? FIRST_ACCOUNT,
      // Few tools look at what the person chose, so only those pay for reading it.
      readConfig: () => (connection === null ? {} : readConfigOf(connection)),
      passedOn: passesTrace ? traceFields(span.context) : undefined,
    });

    let end: RunEnd = 'failed';
    let left: Left | undefined;
    try {
      // A tool that does not heed its signal goes on alone, and can begin no request.
      const running = tool.run(value, openContext());
      // A tool that has its result at once needs no watch.
      const isWatched = ended !== undefined && running instanceof Promise;
      const given = (await (isWatched ? orAborted(running, ended) : running)) ?? null;
      const result = clean(given);
      end = 'done';
      left = trail && { kind: 'result', result };
      const ending: ToolEnding =
        select === undefined
          ? { kind: 'success', ...names, result }
          : await selectFrom(result, select, tool, lease);
      const told = 'result' in ending ? { ...ending, ...sayRemoved(removed) } : ending;
      return { ending: told, end, ...last, secrets: seen.secrets, left };
    } catch (error) {
      const mayHaveRun = tool.access !== 'read';
      const { isRefused, secrets } = seen;
      const explained = explainFailure(caller, error, { integration, names, ends, mayHaveRun, isRefused });
      const ending: ToolEnding =
        explained.kind === 'failed' ? { ...explained, message: cleanText(explained.message) } : explained;
      if (ending.kind === 'access-ended' && mayHaveRun) end = 'unknown';
      return { ending, end, ...last, secrets, left: left ?? trail?.leftBy(error, ending) };
    }
  };
}

const sayRemoved = (removed: Removed): { redacted?: Record<string, number> } =>
  removed.size === 0 ? {} : { redacted: Object.fromEntries(removed) };
