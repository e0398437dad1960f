// Finds the instance that an imported session is for. reference: Cookie sessions
import type { Egress } from '../../egress/door.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Ports } from '../../ports/ports.ts';
import { findInstance, readInstance, type ReadInstance } from '../instance.ts';
import type { Bundle } from './cookies.ts';

const MAX_SHOWN_HOSTS = 5;

interface Session {
  bundle: Bundle;
  /** The instance that the session itself names. */
  instanceUrl: string | undefined;
}

/** The person's word counts first, then the session's own, then the connection's. The cookies are asked last. */
export async function readSessionInstance(
  { store, egress }: Pick<Ports, 'store'> & { egress: Egress },
  userId: string,
  integration: Integration,
  session: Session,
  given: string | undefined,
): Promise<ReadInstance> {
  const named = given ?? session.instanceUrl ?? (await findInstance(store, userId, integration));
  if (named !== undefined || integration.instance?.required !== true)
    return readInstance(integration, named, egress);
  const hosts = new Set(session.bundle.cookies.map(({ domain }) => domain.replace(/^\./, '')));
  const [host, ...others] = hosts;
  if (others.length === 0) return readInstance(integration, `https://${host}`, egress);
  const shown = [...hosts].slice(0, MAX_SHOWN_HOSTS).join(', ');
  return {
    ok: false,
    message:
      `Missing required field: Address of your ${integration.displayName}. ` +
      `The cookies name ${hosts.size} hosts: ${shown}${hosts.size > MAX_SHOWN_HOSTS ? ' …' : ''}`,
  };
}
