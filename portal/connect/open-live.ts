// The way into the live view: the browser is sent to the log-in first, so that what is wrong is said where it was typed.
import { redeemLink } from '../api/connect.ts';
import { attach, type Attached, cancelLogIn, channelBase, detach, startLogIn } from '../api/live.ts';
import { navigate } from '../router/location.ts';
import { keepStart, type LiveStart } from '../session/live-start.ts';
import { keep, take } from '../state/cache.ts';

const ON_ITS_WAY = 'live-on-its-way';
let newest: LiveStart | null = null;

/** Where the browser has just been sent to; null where it has to be sent still, as after a reload. */
export function takeOnItsWay(): string | null {
  const loginUrl = take(ON_ITS_WAY);
  return typeof loginUrl === 'string' ? loginUrl : null;
}

export async function openLive(
  integration: string,
  instanceUrl: string,
  isWanted: () => boolean,
): Promise<void> {
  const start = { integration, instanceUrl, token: '' };
  await open(start, isWanted, (attached) => startLogIn(attached, integration, instanceUrl));
}

/** By an agent's link, or one to the browser itself. */
export async function openLiveByLink(start: LiveStart, isWanted: () => boolean): Promise<void> {
  await open(start, isWanted, async ({ headers }) => {
    const redeemed = await redeemLink(start.token, start.instanceUrl, headers);
    return redeemed.type === 'oauth2' ? '' : (redeemed.loginUrl ?? '');
  });
}

/** A channel that leads nowhere would keep the browser from everybody else for a while. */
async function open(
  start: LiveStart,
  isWanted: () => boolean,
  begin: (attached: Attached) => Promise<string>,
): Promise<void> {
  newest = start;
  const attached = await attach(channelBase(start.integration));
  try {
    const loginUrl = await begin(attached);
    if (isWanted()) return enter(start, loginUrl);
  } catch (error) {
    await detach(attached);
    throw error;
  }
  // A person has one browser: by now it may be on its way elsewhere.
  if (newest !== start) return;
  if (start.integration !== '') await cancelLogIn(attached, start.integration);
  await detach(attached);
}

function enter(start: LiveStart, loginUrl: string): void {
  keepStart(start);
  keep(ON_ITS_WAY, loginUrl);
  if (start.integration !== '') navigate(`/live/${encodeURIComponent(start.integration)}`);
}
