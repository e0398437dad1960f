// Gives a page of the remote browser the size of the person's window.
import type { Channel } from '../wire/channel.ts';
import type { Size } from './screencast.ts';

/** The gateway accepts lengths between these, in pixels. */
const MIN_LENGTH = 200;
const MAX_LENGTH = 2560;

export function setWindowSize(
  channel: Channel | null,
  sessionId: string,
  size: Size,
  isTouch: boolean,
): void {
  const clamp = (length: number) => Math.floor(Math.min(MAX_LENGTH, Math.max(MIN_LENGTH, length)));
  const send = (method: string, params: Readonly<Record<string, unknown>>) =>
    channel?.send(method, params, sessionId);
  send('Page.enable', {});
  send('Emulation.setDeviceMetricsOverride', {
    width: clamp(size.width),
    height: clamp(size.height),
    // 0 keeps the scale that the browser was started with.
    deviceScaleFactor: 0,
    mobile: isTouch,
  });
  send(
    'Emulation.setTouchEmulationEnabled',
    isTouch ? { enabled: true, maxTouchPoints: 5 } : { enabled: false },
  );
  send('Emulation.setFocusEmulationEnabled', { enabled: true });
}
