// Implements wait_for_connection: polls once a second until the person has connected. reference: Pending connections; decision: 031
import * as z from 'zod';
import type { Identity } from '../../kit/actor.ts';
import { type MetaContext, type MetaTool, tool } from '../../kit/integration.ts';
import type { Blocked } from '../../policy/model/visibility.ts';
import { WAIT_DEFAULT_SECONDS, WAIT_MAX_SECONDS, WAIT_POLL_MS } from './limits.ts';
import type { MetaNeeds } from './context.ts';

export const WAIT_FOR_CONNECTION = 'wait_for_connection';

type Needs = Pick<MetaNeeds, 'pending' | 'clock' | 'connected' | 'registries' | 'visibility'>;

export interface ConnectionWait {
  /** Returns how the waiting has ended. Null while the person has not finished. The first look checks what the caller may use. */
  look(
    caller: Identity,
    connectionId: string,
    isFirst: boolean,
  ): Promise<Record<string, unknown> | Blocked | null>;
  /** Ends the waiting, because its time is over. */
  end(caller: Identity, connectionId: string): Promise<Record<string, unknown>>;
}

export function createConnectionWait({
  pending,
  connected,
  registries,
  visibility,
}: Omit<Needs, 'clock'>): ConnectionWait {
  /** The person may have connected in another way: in the portal, or by the link of another call. */
  async function end(status: string, userId: string, name: string) {
    if (status === 'CONNECTED') return { status };
    const integration = await registries.integration(userId, name);
    if (integration === null || !(await connected.one(userId, integration))) return { status };
    const message = `${integration.displayName} is connected. Run the tool again`;
    return { status, connected: true, message };
  }

  return {
    async look(caller, connectionId, isFirst) {
      const { userId } = caller;
      const record = await pending.get(connectionId);
      // A missing record and another user's record get the same answer.
      if (record === null || record.user_id !== userId) return { error: 'Unknown connectionId' };
      const blocked = isFirst ? await visibility.refusal(caller, record.integration) : null;
      if (blocked !== null) return blocked;
      return record.status === 'PENDING' ? null : end(record.status, userId, record.integration);
    },
    async end({ userId }, connectionId) {
      await pending.expire(connectionId);
      // A person who finished after the last poll still counts as connected.
      const record = await pending.get(connectionId);
      return end(record?.status === 'CONNECTED' ? 'CONNECTED' : 'TIMEOUT', userId, record?.integration ?? '');
    },
  };
}

export function waitForConnection(needs: Needs): MetaTool {
  const { clock } = needs;
  const waiting = createConnectionWait(needs);

  async function wait(args: { connectionId: string; timeoutSec: number }, caller: MetaContext) {
    const { signal } = caller;
    const deadline = clock.millis() + args.timeoutSec * 1000;
    for (let isFirst = true; ; isFirst = false) {
      const ended = await waiting.look(caller, args.connectionId, isFirst);
      if (ended !== null) return ended;
      const left = deadline - clock.millis();
      if (left <= 0) break;
      await clock.sleep(Math.min(WAIT_POLL_MS, left), signal);
      // The client disconnected. The record stays pending, so that its next call can go on waiting.
      if (signal?.aborted === true) return { status: 'PENDING' };
    }
    return waiting.end(caller, args.connectionId);
  }

  return tool(
    WAIT_FOR_CONNECTION,
    'Wait until the person has connected. Answers {status: "CONNECTED"}. After EXPIRED or TIMEOUT run the tool if connected is true, else call connect again and show the new url. If your client gives up on long calls, use a timeoutSec of at most 45.',
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
