// Writes what was seen of a credential, and tells the person when it needs them. decision: 026
import type { Notify } from '../../kit/notice.ts';
import type { Ports } from '../../ports/ports.ts';
import { type Connection, type CredentialState } from '../../ports/records.ts';
import { EVERYONE } from '../../ports/store.ts';

/** Returns false when the credential was replaced meanwhile. */
export async function markState(
  { notify, store }: Pick<Ports, 'store'> & { notify: Notify },
  seen: Connection,
  state: CredentialState,
): Promise<boolean> {
  const isMarked = await store.connections.mark(seen, state);
  const { user_id: userId, integration, account } = seen;
  if (!isMarked || state.status !== 'reconnect' || seen.status === 'reconnect' || userId === EVERYONE)
    return isMarked;
  await notify({
    kind: 'connection',
    userId,
    about: `connection ${integration}`,
    instance: `${account} ${state.since ?? 0}`,
    page: `/integrations/${integration}`,
    name: integration,
  });
  return isMarked;
}
