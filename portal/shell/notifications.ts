// Shows the browser's notifications, once the person has asked for them in this browser.
import { navigate } from '../router/location.ts';

const KEY = 'svc_notify';

export type NotifyState = 'on' | 'off' | 'blocked' | 'unsupported';

export function notifyState(): NotifyState {
  // Pages without https have no notifications.
  if (!('Notification' in window) || !window.isSecureContext) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on' ? 'on' : 'off';
}

/** Asks the browser for its permission. Only a person's click may lead here. */
export async function turnNotificationsOn(): Promise<NotifyState> {
  if ((await Notification.requestPermission()) === 'granted') localStorage.setItem(KEY, 'on');
  return notifyState();
}

export function turnNotificationsOff(): NotifyState {
  localStorage.removeItem(KEY);
  return notifyState();
}

/** Returns false where the browser shows none, such as Chrome on Android. */
export function notify(title: string, { body, path }: { body: string; path: string }): boolean {
  try {
    // Several tabs show one notification together, because it has the same tag in all of them.
    const notification = new Notification(title, { body, tag: path, icon: iconOfPage() });
    notification.addEventListener('click', () => {
      window.focus();
      navigate(path);
      notification.close();
    });
    return true;
  } catch {
    return false;
  }
}

function iconOfPage(): string {
  return document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href ?? '';
}
