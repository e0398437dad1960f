// The worker thread of node-bcrypt.ts: takes one task per message and answers with the task's id.
import { parentPort } from 'node:worker_threads';
import { bcrypt, bcryptVerify } from 'hash-wasm';
import { COST } from './bcrypt-rules.ts';

export type Task = { kind: 'hash'; secret: string } | { kind: 'verify'; secret: string; hash: string };
export type HasherReply = { id: number; answer: string | boolean } | { id: number; failure: unknown };

async function perform(task: Task): Promise<string | boolean> {
  if (task.kind === 'verify') return bcryptVerify({ password: task.secret, hash: task.hash });
  const salt = crypto.getRandomValues(new Uint8Array(16));
  return bcrypt({ password: task.secret, salt, costFactor: COST });
}

function reply(message: HasherReply): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', ({ id, task }: { id: number; task: Task }) => {
  perform(task).then(
    (answer) => reply({ id, answer }),
    (failure: unknown) => reply({ id, failure }),
  );
});
