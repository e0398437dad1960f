// What a delivery carries, sealed. decision: 062
import * as z from 'zod';
import type { Place, Seal } from '../../crypto/seal.ts';
import { parseJson } from '../../json/json.ts';
import { NOTICE_KINDS } from '../../kit/notice.ts';
import type { DeliveryRecord } from '../../ports/outbox.ts';

const NoticePayload = z.object({
  kind: z.enum([...NOTICE_KINDS, 'invitation', 'test']),
  name: z.string(),
  by: z.string().nullable(),
  url: z.string(),
  at: z.int(),
  until: z.int().nullable(),
});
export type NoticePayload = z.infer<typeof NoticePayload>;

const EventPayload = z.object({ type: z.string(), at: z.int(), data: z.unknown() });
export type EventPayload = z.infer<typeof EventPayload>;

const Payload = z.union([z.object({ notice: NoticePayload }), z.object({ event: EventPayload })]);
export type Payload = { notice: NoticePayload } | { event: EventPayload };

export const placeOfDelivery = ({
  id,
  user_id,
  destination,
}: Pick<DeliveryRecord, 'id' | 'user_id' | 'destination'>): Place => [user_id, destination, `delivery:${id}`];

export async function openPayload(seal: Seal, row: DeliveryRecord): Promise<Payload | null> {
  const text = await seal.open(row.sealed, placeOfDelivery(row));
  const parsed = text === null ? null : Payload.safeParse(parseJson(text));
  return parsed?.success === true ? parsed.data : null;
}
