// Where a destination is, sealed: an address of others is often a secret itself. decision: 062
import * as z from 'zod';
import type { Place, Seal } from '../../crypto/seal.ts';
import { parseJson } from '../../json/json.ts';
import type { DestinationRecord } from '../../ports/outbox.ts';

const Address = z.discriminatedUnion('channel', [
  z.object({ channel: z.literal('webhook'), url: z.string(), secret: z.string() }),
  z.object({ channel: z.literal('slack'), url: z.string() }),
  /** Null for the address with which the person signs in. */
  z.object({ channel: z.literal('email'), address: z.string().nullable() }),
  z.object({ channel: z.literal('push'), url: z.string(), p256dh: z.string(), auth: z.string() }),
]);
export type Address = z.infer<typeof Address>;

export const placeOfDestination = ({ id, user_id }: Pick<DestinationRecord, 'id' | 'user_id'>): Place => [
  user_id,
  '',
  `destination:${id}`,
];

export const sealAddress = (
  seal: Seal,
  row: Pick<DestinationRecord, 'id' | 'user_id'>,
  address: Address,
): Promise<string> => seal.seal(JSON.stringify(address), placeOfDestination(row));

export async function openAddress(
  seal: Seal,
  row: Pick<DestinationRecord, 'id' | 'user_id' | 'sealed'>,
): Promise<Address | null> {
  const text = await seal.open(row.sealed, placeOfDestination(row));
  const parsed = text === null ? null : Address.safeParse(parseJson(text));
  return parsed?.success === true ? parsed.data : null;
}
