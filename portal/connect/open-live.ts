// The way into the live view: the browser is sent to the log-in first, so that what is wrong is said where it was typed.
import { redeemLink } from '../api/connect.ts';
import { attach, type Attached, channelBase, detach, startLogIn } from '../api/live.ts';
import { navigate } from '../router/location.ts';
import { keepStart, type LiveStart } from '../session/live-start.ts';
import { keep, take } from '../state/cache.ts';

const ON_ITS_WAY = 'live-on-its-way';

/** Where the browser has just been sent to; null where it has to be sent still, as after a reload. */
export function takeOnItsWay(): string | null {
  const loginUrl = take(ON_ITS_WAY);
  return typeof loginUrl === 'string' ? loginUrl : null;
}

export async function openLive(integration: string, instanceUrl: string): Promise<void> {
  await within(integration, async (attached) => {
    const loginUrl = await startLogIn(attached, integration, instanceUrl);
    enter({ integration, instanceUrl, token: '' }, loginUrl);
  });
}

/** By an agent's link, or one to the browser itself. */
export async function openLiveByLink(start: LiveStart): Promise<void> {
  await within(start.integration, async ({ headers }) => {
    const redeemed = await redeemLink(start.token, start.instanceUrl, headers);
    enter(start, redeemed.type === 'oauth2' ? '' : (redeemed.loginUrl ?? ''));
  });
}

/** A channel that leads nowhere would keep the browser from everybody else for a while. */
async function within(integration: string, work: (attached: Attached) => Promise<void>): Promise<void> {
  const attached = await attach(channelBase(integration));
  try {
    await work(attached);
  } catch (error) {
    await detach(attached);
    throw error;
  }
}

function enter(start: LiveStart, loginUrl: string): void {
  keepStart(start);
  keep(ON_ITS_WAY, loginUrl);
  if (start.integration !== '') navigate(`/live/${encodeURIComponent(start.integration)}`);
}
