// Declares what the ledger keeps of a run and of its calls, and seals it. decision: 059
import * as z from 'zod';
import type { Place, Seal } from '../crypto/seal.ts';
import { parseJson } from '../json/json.ts';
import type { ScriptAnswer } from '../ports/script-runner.ts';
import type { ScriptCallRecord, ScriptRunRecord } from '../ports/scripts.ts';

const End = z.union([
  /** `json` is null where the value is too long to be kept. */
  z.object({ kind: z.literal('returned'), json: z.string().nullable() }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);

const KeptRun = z.object({
  callerName: z.string().nullable(),
  code: z.string(),
  /** JSON. */
  input: z.string(),
  /** Milliseconds. */
  now: z.number(),
  seed: z.string(),
  timeoutSec: z.number(),
  /** The digest of the saved script; null for code that was sent. */
  definition: z.string().nullable(),
  /** The revision of the rules that the run began under. */
  revision: z.string(),
  log: z.string(),
  end: End.nullable(),
});
export type KeptRun = z.infer<typeof KeptRun>;

const Answer = z.union([
  z.object({ ok: z.literal(true), json: z.string() }),
  z.object({ ok: z.literal(false), message: z.string(), code: z.string(), status: z.number().nullable() }),
]) satisfies z.ZodType<ScriptAnswer>;

const KeptCall = z.object({
  /** The name as the script wrote it, and the digest of all that it sent. */
  name: z.string(),
  digest: z.string(),
  /** The tool that the name found, and the digest of its definition. */
  tool: z.string().nullable(),
  integration: z.string().nullable(),
  definition: z.string().nullable(),
  line: z.number().nullable(),
  /** Milliseconds since the run began, without the time in which it waited. */
  started: z.number(),
  ended: z.number(),
  /** Null for a call that waits for a person. */
  answer: Answer.nullable(),
  approval: z.object({ id: z.string(), url: z.string(), expiresAt: z.number() }).nullable(),
});
export type KeptCall = z.infer<typeof KeptCall>;

type RunPlace = Pick<ScriptRunRecord, 'user_id' | 'id'>;
type CallPlace = Pick<ScriptCallRecord, 'user_id' | 'run_id' | 'position'>;

export const placeOfRun = ({ user_id, id }: RunPlace): Place => [user_id, '', `script:${id}`];
export const placeOfCall = ({ user_id, run_id, position }: CallPlace): Place => [
  user_id,
  '',
  `script:${run_id}:${position}`,
];

export const sealRun = (seal: Seal, row: RunPlace, kept: KeptRun): Promise<string> =>
  seal.seal(JSON.stringify(kept), placeOfRun(row));
export const sealCall = (seal: Seal, row: CallPlace, kept: KeptCall): Promise<string> =>
  seal.seal(JSON.stringify(kept), placeOfCall(row));

/** Returns null when no key opens it. */
export async function openRun(seal: Seal, row: RunPlace & { sealed: string }): Promise<KeptRun | null> {
  const text = await seal.open(row.sealed, placeOfRun(row));
  return text === null ? null : (KeptRun.safeParse(parseJson(text)).data ?? null);
}

/** Returns null when no key opens it. */
export async function openCall(seal: Seal, row: CallPlace & { sealed: string }): Promise<KeptCall | null> {
  const text = await seal.open(row.sealed, placeOfCall(row));
  return text === null ? null : (KeptCall.safeParse(parseJson(text)).data ?? null);
}
