// Gives a page of the browser the window that the person has.
import type { Channel } from '../wire/channel.ts';
import type { Size } from './screencast.ts';

/** What the gateway lets a page measure. */
const LEAST = 200;
const MOST = 2560;

export function settle(channel: Channel | null, sessionId: string, size: Size, isTouch: boolean): void {
  const within = (length: number) => Math.floor(Math.min(MOST, Math.max(LEAST, length)));
  const send = (method: string, params: Readonly<Record<string, unknown>>) =>
    channel?.send(method, params, sessionId);
  send('Page.enable', {});
  send('Emulation.setDeviceMetricsOverride', {
    width: within(size.width),
    height: within(size.height),
    // 0 leaves it as the browser was started with.
    deviceScaleFactor: 0,
    mobile: isTouch,
  });
  send(
    'Emulation.setTouchEmulationEnabled',
    isTouch ? { enabled: true, maxTouchPoints: 5 } : { enabled: false },
  );
  send('Emulation.setFocusEmulationEnabled', { enabled: true });
}
