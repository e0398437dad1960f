// Says how a run of a script has ended, or what it waits for. reference: Scripts
import { parseExactIntegers } from '../json/exact-integers.ts';
import type { CallsEnd, ScriptNote } from '../kit/integration.ts';
import type { ApprovalLink } from '../policy/model/approvals.ts';
import type { ScriptEnd } from '../ports/script-runner.ts';
import type { ScriptRunRecord } from '../ports/scripts.ts';
import type { KeptRun } from './kept-run.ts';
import { KEPT_END_BYTES } from './limits.ts';

type Run = Pick<ScriptRunRecord, 'id'>;

export const CANCELLED = 'The caller ended the script. The calls that it had made are in its run';
export const STOPPED =
  'The gateway stopped while the script ran. Send exactly the same call again: it goes on where it was, and what has run is not repeated';
export const OTHER =
  'The script did not make the same calls again that it had made before it waited, so it was ended. Its calls may depend only on its input and on the answers of tools';
export const UNREADABLE = 'The run cannot be read any more. Run the script again';

export const changed = (what: string): string =>
  `${what} changed since this run began, so it does not go on. Its calls have run: look at what they changed, and run the script again`;
export const tooLong = (seconds: number): string =>
  `The script took longer than ${seconds} seconds, so it was ended`;

const EXCEEDED = {
  processor: 'The script took more than its 30 seconds of processor time, so it was ended',
  memory: 'The script took more than its 64 MiB of memory, so it was ended',
  output: 'The script returned more than 4 MiB of JSON. Return only what you need',
} satisfies Record<Extract<ScriptEnd, { kind: 'exceeded' }>['limit'], string>;

export const noteOf = ({ id }: Run, log: string): ScriptNote => ({
  run: id,
  ...(log === '' ? {} : { log }),
});

export const failed = (message: string, run?: Run): CallsEnd => ({
  kind: 'failed',
  message,
  ...(run === undefined ? {} : { script: noteOf(run, '') }),
});

/** What a person has to do before the run goes on. */
export function describePause({ id }: Run, asked: readonly ApprovalLink[]): string {
  const links = [...new Set(asked.map(({ url }) => url))].join(' and ');
  const what = asked.length === 1 ? 'a call of this script' : `${asked.length} calls of this script`;
  return `A person has to approve ${what}. Show them ${links} and, after their yes, send script_run {"resume": "${id}"} or exactly the same call again. What has already run is not repeated.`;
}

/** Why a script failed by itself. */
export const describeFailure = (end: Extract<ScriptEnd, { kind: 'threw' | 'exceeded' }>): string =>
  end.kind === 'exceeded'
    ? EXCEEDED[end.limit]
    : `The script threw${end.line === null ? '' : ` at line ${end.line}`}: ${end.message}`;

/** What is kept of a value: nothing where it is too long. */
export const keptJson = (json: string): string | null => (json.length > KEPT_END_BYTES ? null : json);

export const returned = (json: string, script: ScriptNote): CallsEnd => ({
  kind: 'success',
  result: parseExactIntegers(json) ?? null,
  script,
});

/** A run that has ended says again how it has. */
export function tellEnd(row: Run, kept: KeptRun | null): CallsEnd {
  if (kept === null) return failed(UNREADABLE, row);
  const { end, log } = kept;
  const script = noteOf(row, log);
  if (end?.kind === 'returned' && end.json !== null) return returned(end.json, script);
  const message =
    end?.kind === 'failed' ? end.message : 'The run has ended, and its result was too long to be kept';
  return { kind: 'failed', message, script };
}
