// The step that notes how an approved call ended, however it ended. reference: Approvals
import type { Approved, Ran } from './effect.ts';

export async function settle<E>(approved: Approved, running: Promise<Ran<E>>): Promise<Ran<E>> {
  try {
    const ran = await running;
    await approved.finish(ran.end);
    return ran;
  } catch (error) {
    // A mistake of ours must not leave the approval claimed for ever.
    await approved.finish('failed');
    throw error;
  }
}
