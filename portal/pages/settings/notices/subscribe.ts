// Lets this browser take push notices: its service worker shows them while no page of the portal is open.
import { ApiError } from '../../../api/client.ts';
import { noticesTexts } from '../../../texts/notices.ts';

const WORKER = '/notices-worker.js';

export const canPush = (): boolean =>
  window.isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window;

export async function subscribe(pushKey: string): Promise<{ url: string; p256dh: string; auth: string }> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new ApiError(409, noticesTexts.form.pushRefused);
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: pushKey })
    .catch(() => {
      throw new ApiError(409, noticesTexts.form.noPush);
    });
  const { endpoint = '', keys } = subscription.toJSON();
  return { url: endpoint, p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' };
}
