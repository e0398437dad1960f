// Implements wait_for_connection: polls once a second until the person has connected. reference: Pending connections; decision: 022
import * as z from 'zod';
import { type MetaTool, tool, type CallContext } from '../../kit/integration.ts';
import { WAIT_DEFAULT_SECONDS, WAIT_MAX_SECONDS, WAIT_POLL_MS } from '../../config/limits.ts';
import type { MetaNeeds } from './context.ts';

export const WAIT_FOR_CONNECTION = 'wait_for_connection';

export function waitForConnection({ pending, clock }: Pick<MetaNeeds, 'pending' | 'clock'>): MetaTool {
  async function wait(args: { connectionId: string; timeoutSec: number }, { userId, signal }: CallContext) {
    const deadline = clock.millis() + args.timeoutSec * 1000;
    for (;;) {
      const record = await pending.get(args.connectionId);
      // A missing record and another user's record get the same answer.
      if (record === null || record.user_id !== userId) return { error: 'Unknown connectionId' };
      if (record.status !== 'PENDING') return { status: record.status };
      const left = deadline - clock.millis();
      if (left <= 0) break;
      await clock.sleep(Math.min(WAIT_POLL_MS, left), signal);
      // The client disconnected. The record stays pending, so that its next call can go on waiting.
      if (signal?.aborted === true) return { status: 'PENDING' };
    }
    await pending.expire(args.connectionId);
    // A person who finished after the last poll still counts as connected.
    const record = await pending.get(args.connectionId);
    return { status: record?.status === 'CONNECTED' ? 'CONNECTED' : 'TIMEOUT' };
  }

  return tool(
    WAIT_FOR_CONNECTION,
    'Wait until the person has finished connecting. Answers {status}: CONNECTED, or else EXPIRED or TIMEOUT: then this connectionId is of no more use, call connect again and show its new url. Many clients give up on calls that take long: use timeoutSec of at most 45 when yours does.',
    () => ({
      connectionId: z.string().describe('From connect'),
      timeoutSec: z
        .int()
        .positive()
        .max(WAIT_MAX_SECONDS)
        .default(WAIT_DEFAULT_SECONDS)
        .describe('Seconds to wait'),
    }),
    wait,
  );
}
