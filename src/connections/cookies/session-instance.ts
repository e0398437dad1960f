// Finds the instance that an imported session is for. reference: Cookie sessions
import type { Egress } from '../../egress/door.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Connection } from '../../ports/records.ts';
import { INSTANCE, readConfigOf } from '../model/config.ts';
import { readInstance, type ReadInstance } from '../model/instance.ts';
import type { Bundle } from '../model/cookies.ts';

const MAX_SHOWN_HOSTS = 5;

interface Session {
  bundle: Bundle;
  /** The instance that the person names. */
  given: string | undefined;
  /** The stored account that the session is for; null where there is none. */
  former: Connection | null;
  /** The instance that the session itself names. */
  instanceUrl: string | undefined;
}

/** The person's word counts first, then the session's own, then the connection's. The cookies are asked last. */
export async function readSessionInstance(
  egress: Egress,
  integration: Integration,
  { bundle, given, instanceUrl, former }: Session,
): Promise<ReadInstance> {
  const hasInstances = former !== null && integration.instance !== undefined;
  const named = given ?? instanceUrl ?? (hasInstances ? readConfigOf(former)[INSTANCE] : undefined);
  if (named !== undefined || integration.instance?.required !== true)
    return readInstance(integration, named, egress, { mayBeAway: true });
  const hosts = new Set(bundle.cookies.map(({ domain }) => domain.replace(/^\./, '')));
  const [host, ...others] = hosts;
  if (others.length === 0) return readInstance(integration, `https://${host}`, egress, { mayBeAway: true });
  const shown = [...hosts].slice(0, MAX_SHOWN_HOSTS).join(', ');
  return {
    ok: false,
    message:
      `Missing required field: Address of your ${integration.displayName}. ` +
      `The cookies name ${hosts.size} hosts: ${shown}${hosts.size > MAX_SHOWN_HOSTS ? ' …' : ''}`,
  };
}
