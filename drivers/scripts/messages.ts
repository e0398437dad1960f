// What a thread that runs a script and the runner tell each other.
import type { MessagePort } from 'node:worker_threads';
import type { ScriptAnswer, ScriptCall, ScriptEnd, ScriptLimits } from '../../src/ports/script-runner.ts';

export interface Start {
  module: WebAssembly.Module;
  code: string;
  input: string;
  now: number;
  /** Four 32-bit numbers that are made from the seed. */
  chance: readonly number[];
  limits: ScriptLimits;
  /** See SIGNALS. */
  signals: Int32Array<SharedArrayBuffer>;
  /** Brings the answers of `select`. */
  answers: MessagePort;
}

/** The places of the shared numbers. */
export const SIGNALS = {
  /** Not 0 while other runs want to compute. */
  wanted: 0,
  /** Becomes 1 when a run that has stepped back may go on. */
  mayGoOn: 1,
  /** Becomes 1 when the answer of `select` has been sent. */
  selected: 2,
} as const;

/** An end without its log, which was sent before. */
export type End = ScriptEnd extends infer Each
  ? Each extends { kind: string }
    ? Omit<Each, 'log'>
    : never
  : never;

export type FromThread =
  | { kind: 'call'; call: ScriptCall }
  | { kind: 'log'; text: string }
  | { kind: 'select'; value: string; expression: string }
  /** Nothing is left to do before the next answer comes. */
  | { kind: 'idle' }
  /** The thread stands still until it may go on. */
  | { kind: 'stepped-back' }
  | { kind: 'end'; end: End };

export interface Answer {
  index: number;
  answer: ScriptAnswer;
}
