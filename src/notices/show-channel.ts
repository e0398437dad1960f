// Shows a channel without its secrets: the address of a webhook is often one itself, so people see its host.
import type { Seal } from '../crypto/seal.ts';
import { NOTICE_KINDS } from '../kit/notice.ts';
import type { DestinationRecord } from '../ports/outbox.ts';
import { openAddress } from './model/address.ts';
import { parseMuted } from './model/off-link.ts';
import type { ShownChannel } from './operations.ts';

export function createShowChannel({ seal }: { seal: Seal }) {
  async function placeOf(row: DestinationRecord, email: string): Promise<string> {
    const address = await openAddress(seal, row);
    if (address === null) return 'no key opens the address any more';
    return address.channel === 'email' ? (address.address ?? email) : new URL(address.url).host;
  }

  return async function showChannel(row: DestinationRecord, email: string): Promise<ShownChannel> {
    const { id, channel, purpose, name, created_at, failing_since, last_error, last_ok_at } = row;
    const muted = parseMuted(row.muted);
    return {
      id,
      channel,
      purpose,
      name,
      place: await placeOf(row, email),
      kinds: NOTICE_KINDS.filter((kind) => !muted.includes(kind)),
      createdAt: created_at,
      state: stateOf(row),
      ...(failing_since === null ? {} : { failingSince: failing_since }),
      ...(last_error === null ? {} : { lastError: last_error }),
      ...(last_ok_at === null ? {} : { lastSentAt: last_ok_at }),
    };
  };
}

function stateOf({ disabled_at, failing_since, last_ok_at }: DestinationRecord): ShownChannel['state'] {
  if (disabled_at !== null) return 'disabled';
  if (failing_since !== null) return 'failing';
  return last_ok_at === null ? 'new' : 'ok';
}
