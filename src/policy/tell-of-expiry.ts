// Tells people of named keys that expire soon. reference: Notices
import type { Notify } from '../kit/notice.ts';
import type { Store } from '../ports/store.ts';

const EARLY_SECONDS = 7 * 24 * 3_600;
const PAGE_ROWS = 100;

/** Each key is told once to each channel, as its row in the outbox is kept for longer. */
export async function tellOfExpiry(
  { agentKeys }: Pick<Store, 'agentKeys'>,
  notify: Notify,
  now: number,
): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const keys = await agentKeys.expiring(now, now + EARLY_SECONDS, { after, limit: PAGE_ROWS });
    for (const { id, user_id: userId, name, expires_at } of keys)
      await notify({
        kind: 'key',
        userId,
        about: `key ${id}`,
        instance: String(expires_at),
        page: '/agents?show=keys',
        name,
        until: expires_at ?? now,
      });
    if (keys.length < PAGE_ROWS) return;
    after = keys.at(-1)?.id ?? null;
  }
}
