// Checks that a sign-in that came back from a provider is alive, and that the person who came back may finish it.
import { timingSafeEqual } from 'hono/utils/buffer';
import type { Config } from '../../config/config.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Flow } from '../../ports/records.ts';
import { belongsTo, requireConfigOf } from '../model/config.ts';
import { type MayConnectForTeam, TEAM_REFUSED } from '../model/team.ts';
import { takeWanted } from '../model/wanted-account.ts';

export type Step<T> = ({ ok: true } & T) | { ok: false; message: string };

export interface Callback {
  /** What the browser brought back. */
  parameters: URLSearchParams;
  /** The person whose session the request carries; null without a session. */
  callerId: string | null;
  /** The binding of the browser that came back. */
  binding: string | undefined;
}

/** What a flow that came back says. */
export interface Received extends ReturnType<typeof takeWanted> {
  userId: string;
  verifier: string;
  /** Whether the person has to confirm it, because another browser, an agent or a program began it. decision: 025 */
  mustConfirm: boolean;
}

export const EXPIRED = 'This sign-in has expired or was used already. Start connecting again.';
const OTHER_BROWSER =
  'This sign-in was not started in this browser. Open the link where you have begun, or ask for a new one.';
export const no = (message: string) => ({ ok: false, message }) as const;

type Needs = Pick<Ports, 'clock' | 'config' | 'digest'> & { mayConnectForTeam: MayConnectForTeam };

export type ReceiveFlow = (
  flow: Flow | null,
  integration: Integration,
  callback: Callback,
) => Promise<Step<Received>>;

export function createReceiveFlow(deps: Needs): ReceiveFlow {
  const { clock, config: settings, digest, mayConnectForTeam } = deps;
  const rule = ruleForUnbound(settings);

  return async function receiveFlow(flow, integration, { callerId, binding }) {
    if (
      flow === null ||
      flow.user_id === null ||
      flow.integration !== integration.name ||
      !belongsTo(flow, integration) ||
      flow.expires_at <= clock.now()
    ) {
      return no(EXPIRED);
    }
    const { config, wanted, isForTeam, link } = takeWanted(requireConfigOf(flow));
    // decision: 025
    if (callerId !== null && callerId !== flow.user_id)
      return no('This sign-in was started by another user of the gateway. Start connecting again yourself.');
    const isBound =
      callerId !== null ||
      (flow.session_data !== null &&
        binding !== undefined &&
        (await timingSafeEqual(flow.session_data, digest.sha256(binding))));
    // The link of an actor never goes on in a second browser, whatever the settings say. decision: 074
    if (link !== undefined && !isBound) return no(OTHER_BROWSER);
    // The code is not exchanged: nobody needs what it would give.
    if (!isBound && rule === 'refuse')
      return no(
        `This sign-in was not started in this browser. Open the portal at ${settings.PORTAL_URL} and connect ${integration.displayName} there.`,
      );
    // The code is not exchanged for somebody who has stopped being an administrator meanwhile.
    if (isForTeam && !(await mayConnectForTeam(flow.user_id))) return no(TEAM_REFUSED);
    const verifier = flow.code_verifier ?? '';
    const mustConfirm = link !== undefined || (!isBound && rule === 'ask');
    return { ok: true, userId: flow.user_id, verifier, mustConfirm, config, wanted, isForTeam, link };
  };
}

/** Whether flows are bound to the browser that begins them. */
export const bindsFlows = ({ CONNECT_CONFIRM, CONNECT_VIA }: Rules): boolean =>
  CONNECT_CONFIRM === 'unbound' || CONNECT_VIA === 'portal';

type Rules = Pick<Config, 'CONNECT_CONFIRM' | 'CONNECT_VIA'>;

/** What happens to a flow that comes back without its binding. decision: 025 */
function ruleForUnbound(config: Config): 'connect' | 'ask' | 'refuse' {
  if (!bindsFlows(config)) return 'connect';
  if (config.CONNECT_VIA === 'provider') return 'ask';
  // A portal on another host cannot set a cookie that the callback receives.
  const [base, portal] = [config.SERVER_PUBLIC_URL, config.PORTAL_URL].map((url) => new URL(url));
  return base?.hostname === portal?.hostname && base?.protocol === portal?.protocol ? 'refuse' : 'ask';
}
