// Shows stored events as readers, the portal and addresses of people get them. reference: Event subscriptions
import type { Seal } from '../crypto/seal.ts';
import { isTooDeep, parseJson } from '../json/json.ts';
import type { StoredEvent } from '../ports/events.ts';
import type { Ports } from '../ports/ports.ts';
import { openEvent } from './kept.ts';

export interface ShownEvent {
  id: string;
  cursor: string;
  subscription: string;
  integration: string | null;
  type: string;
  receivedAt: number;
  replayOf?: string;
  /** The parsed payload, or its text where it is not JSON. */
  payload: unknown;
}

/** Leaves out what no key opens. */
export type ShowEvents = (userId: string, rows: readonly StoredEvent[]) => Promise<ShownEvent[]>;

type Needs = Pick<Ports, 'store'> & { seal: Seal };

export function createShowEvents({ seal, store }: Needs): ShowEvents {
  return async function showEvents(userId, rows) {
    if (rows.length === 0) return [];
    const of = await store.events.list(userId);
    const names = new Map(of.map(({ id, integration }) => [id, integration]));
    const opened = await Promise.all(
      rows.map(async (row): Promise<ShownEvent[]> => {
        const event = await openEvent(seal, row);
        if (event === null) return [];
        const { head, payload } = event;
        return [
          {
            id: row.id,
            cursor: String(row.position),
            subscription: row.subscription_id,
            integration: names.get(row.subscription_id) ?? null,
            type: head.type,
            receivedAt: row.received_at,
            ...(head.replayOf === undefined ? {} : { replayOf: head.replayOf }),
            payload: isTooDeep(payload) ? payload : (parseJson(payload) ?? payload),
          },
        ];
      }),
    );
    return opened.flat();
  };
}
