// Implements card_state: tells the card what has become of a connection or an approval. It changes nothing.
import * as z from 'zod';
import { type MetaContext, type MetaTool, tool } from '../../kit/integration.ts';
import { shownText } from '../../kit/shown-text.ts';
import type { ApprovalRecord } from '../../ports/policy.ts';
import type { MetaNeeds } from '../meta-tools/context.ts';
import { CARD_STATE } from './names.ts';

type Needs = Pick<MetaNeeds, 'clock' | 'pending' | 'registries' | 'store' | 'visibility'>;

const MAX_IDS = 8;
const DOES = { read: 'it reads', write: 'it changes data', destroy: 'it can delete' };

export function cardState({ clock, pending, registries, store, visibility }: Needs): MetaTool {
  async function titled(userId: string, name: string): Promise<string> {
    const integration = await registries.integration(userId, name);
    return integration?.displayName ?? name;
  }

  async function connection(id: string, caller: MetaContext) {
    const record = await pending.get(id);
    if (record === null || record.user_id !== caller.userId) return null;
    if ((await visibility.refusal(caller, record.integration)) !== null) return null;
    const title = await titled(caller.userId, record.integration);
    const state = ({ PENDING: 'waiting', CONNECTED: 'done', EXPIRED: 'expired' } as const)[record.status];
    return { id, kind: 'connection', state, title, by: shownText(caller.actor.name) ?? undefined };
  }

  /** A caller is told about its own questions only. */
  async function approval(id: string, { actor, userId }: MetaContext) {
    const row = await store.approvals.get(userId, id);
    if (row === null || row.caller !== actor.id) return null;
    return {
      id,
      kind: 'approval',
      state: stateOf(row, clock.now()),
      title: await titled(userId, row.integration),
      tool: row.tool,
      does: DOES[row.access],
      by: shownText(row.caller_name) ?? undefined,
      account: row.account ?? undefined,
      reason: row.reason ?? undefined,
    };
  }

  return tool(
    CARD_STATE,
    'Tells the card of the gateway what has become of a connection or an approval. Only the card calls it.',
    () => ({ ids: z.array(z.string().max(100)).min(1).max(MAX_IDS) }),
    async ({ ids }, caller: MetaContext) => {
      const items = await Promise.all(
        ids.map(
          async (id) =>
            (await connection(id, caller)) ?? (await approval(id, caller)) ?? { id, state: 'unknown' },
        ),
      );
      return { items };
    },
  );
}

/** A question whose time is over may not be noted as ended yet. */
function stateOf({ state, expires_at }: ApprovalRecord, now: number): string {
  if (state === 'pending') return expires_at <= now ? 'expired' : 'waiting';
  return state === 'unknown' ? 'failed' : state;
}
