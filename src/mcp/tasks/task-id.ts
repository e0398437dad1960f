// Makes the ids of tasks: sealed, for one person and one caller. Everything else is unknown alike. reference: Tasks
import * as z from 'zod';
import type { Place, Seal } from '../../crypto/seal.ts';
import { parseJson } from '../../json/json.ts';
import type { Identity } from '../../kit/actor.ts';

/** What a task is about: the row of a batch, or a pending connection and until when it is waited for. */
const TaskSubject = z.union([
  z.object({ task: z.string() }),
  z.object({ connection: z.string(), from: z.number(), until: z.number() }),
]);
export type TaskSubject = z.infer<typeof TaskSubject>;

const placeOf = ({ userId, actor }: Identity): Place => [userId, '', `task id:${actor.id}`];

/** Longer than any id. */
const MAX_CHARACTERS = 1_000;

export const sealTaskId = (seal: Seal, caller: Identity, subject: TaskSubject): Promise<string> =>
  seal.seal(JSON.stringify(subject), placeOf(caller));

/** Returns null for what is no id of a task of this caller. */
export async function openTaskId(seal: Seal, caller: Identity, id: string): Promise<TaskSubject | null> {
  if (id.length > MAX_CHARACTERS) return null;
  const opened = await seal.open(id, placeOf(caller));
  return opened === null ? null : (TaskSubject.safeParse(parseJson(opened)).data ?? null);
}
