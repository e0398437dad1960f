// Declares what a task keeps of a batch, and seals it. reference: Tasks
import * as z from 'zod';
import { ActorShape } from '../../auth/curl-token.ts';
import { ErrorCode } from '../../http/error-codes.ts';
import type { Place, Seal } from '../../crypto/seal.ts';
import type { Actor } from '../../kit/actor.ts';
import { parseExactIntegers, writeJson } from '../../json/exact-integers.ts';
import type { TaskRecord } from '../../ports/tasks.ts';

/** A call as its caller sends it. */
export const SentExecution = z.object({
  tool: z.string(),
  args: z.unknown(),
  select: z.string().optional(),
  account: z.string().optional(),
  key: z.string().optional(),
});

const KeptPart = z.object({
  execution: SentExecution,
  integration: z.string().nullable(),
  /** The approval that the call waits for. */
  approval: z.string().nullable(),
  /** The run of the script that the call has begun. The approval is about one of the calls of that script. */
  script: z.string().optional(),
  /** Some process may have run it. */
  isBegun: z.boolean(),
  /** An entry of `results`. Null until the part has ended. */
  result: z.record(z.string(), z.unknown()).nullable(),
});
export type KeptPart = z.infer<typeof KeptPart>;

const KeptBatch = z.object({
  actor: ActorShape,
  requestId: z.string().optional(),
  maxChars: z.number().optional(),
  parts: z.array(KeptPart),
});
export type KeptBatch = Omit<z.infer<typeof KeptBatch>, 'actor'> & { actor: Actor };

export const placeOfTask = ({ user_id, id }: Pick<TaskRecord, 'user_id' | 'id'>): Place => [
  user_id,
  '',
  `task:${id}`,
];

export const sealBatch = (
  seal: Seal,
  row: Pick<TaskRecord, 'user_id' | 'id'>,
  batch: KeptBatch,
): Promise<string> => seal.seal(writeJson(batch), placeOfTask(row));

/** Returns null when no key opens it. */
export async function openBatch(
  seal: Seal,
  row: Pick<TaskRecord, 'user_id' | 'id' | 'sealed'>,
): Promise<KeptBatch | null> {
  const text = await seal.open(row.sealed, placeOfTask(row));
  return text === null ? null : (KeptBatch.safeParse(parseExactIntegers(text)).data ?? null);
}

const Asked = z.looseObject({
  error: z.literal(ErrorCode.APPROVAL_REQUIRED),
  integration: z.string().nullable(),
  approval: z.object({ id: z.string(), expiresAt: z.number() }),
  /** Says that a call of a script waits. */
  script: z.object({ run: z.string() }).optional(),
});

export type Waits = Pick<KeptPart, 'integration' | 'approval' | 'script'> & { until: number };

/** The approval that an entry of `results` waits for. Null for one that has ended. */
export function waitsFor(result: unknown): Waits | null {
  const asked = Asked.safeParse(result).data;
  if (asked === undefined) return null;
  const { integration, approval, script } = asked;
  const of = { integration, approval: approval.id, until: approval.expiresAt };
  return script === undefined ? of : { ...of, script: script.run };
}

export const isOpenPart = ({ result }: KeptPart): boolean => result === null;
