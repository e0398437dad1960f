// Opens the live view. The browser goes to the login page first, so that an error appears in the person's form.
import { redeemLink } from '../api/connect.ts';
import { attach, type Attached, cancelLogIn, channelBase, detach, startLogIn } from '../api/live.ts';
import { navigate } from '../router/location.ts';
import { keepStart, type LiveStart } from '../session/live-start.ts';
import { keep, take } from '../state/cache.ts';

const PENDING_LOGIN = 'live-on-its-way';
let newest: LiveStart | null = null;

/** Returns the login page that the browser already opens, or null after a reload, when it must be sent there again. */
export function takePendingLogin(): string | null {
  const loginUrl = take(PENDING_LOGIN);
  return typeof loginUrl === 'string' ? loginUrl : null;
}

export async function openLive(
  integration: string,
  { instanceUrl, account }: Pick<LiveStart, 'instanceUrl' | 'account'>,
  isWanted: () => boolean,
): Promise<void> {
  const start = { integration, instanceUrl, account, token: '' };
  await open(start, isWanted, (attached) => startLogIn(attached, integration, instanceUrl, account));
}

/** Opens the live view for an agent's link, or for a link to the browser itself. */
export async function openLiveByLink(start: LiveStart, isWanted: () => boolean): Promise<void> {
  await open(start, isWanted, async ({ headers }) => {
    const redeemed = await redeemLink(start.token, start.instanceUrl, headers);
    return redeemed.type === 'oauth2' ? '' : (redeemed.loginUrl ?? '');
  });
}

/** Detaches a channel that nobody wants any more, because it would block the browser for a while. */
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
  // A person has one browser. A newer request may already use it.
  if (newest !== start) return;
  if (start.integration !== '') await cancelLogIn(attached, start.integration);
  await detach(attached);
}

function enter(start: LiveStart, loginUrl: string): void {
  keepStart(start);
  keep(PENDING_LOGIN, loginUrl);
  if (start.integration !== '') navigate(`/live/${encodeURIComponent(start.integration)}`);
}
