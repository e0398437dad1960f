// Shows the pictures of one page. Each frame is acknowledged once drawn, so that a slow network slows the browser down
// instead of delaying the picture.
import type { Params } from '../wire/commands.ts';
import type { Frame, FrameMetadata } from './protocol.ts';

export type Paint = (image: ImageBitmap, metadata: FrameMetadata) => void;

export interface Size {
  width: number;
  height: number;
  /** Device pixels per CSS pixel. */
  density: number;
}

type Send = (method: string, params: Params, sessionId: string) => void;

interface Pace {
  maxFramesInFlight: number;
  quality: number;
}

const BRISK: Pace = { maxFramesInFlight: 3, quality: 80 };
const CALM: Pace = { maxFramesInFlight: 2, quality: 40 };
/** A started screencast or a new page sends a picture within this time. After that, the screencast starts again. */
const FIRST_FRAME_MS = 1200;
/** The network cannot keep up with frames older than this. */
const MAX_LAG_MS = 300;

export interface Screencast {
  /** Shows this page in this size from now on. */
  show: (sessionId: string, size: Size) => void;
  /** Expects a picture soon, because the shown page has changed. */
  expect: () => void;
  stop: () => void;
  onFrame: (frame: Frame, sessionId: string) => void;
}

interface Machine {
  now: () => number;
  decode: (base64: string) => Promise<ImageBitmap | null>;
}

export function createScreencast(
  send: Send,
  paint: Paint,
  { now, decode }: Machine = { now: Date.now, decode: decodeJpeg },
): Screencast {
  let shown = '';
  let size: Size = { width: 0, height: 0, density: 1 };
  let pace = BRISK;
  let newest = 0;
  let drawing: Promise<void> = Promise.resolve();
  // The two machines have different clocks. The smallest difference is the network at its best.
  let leastLag = Infinity;
  let restartTimer: ReturnType<typeof setTimeout> | undefined;

  // Chromium may swap the renderer of a page and leave the screencast on the old one, and an idle page sends no frame.
  function expectFrame(): void {
    clearTimeout(restartTimer);
    restartTimer = setTimeout(() => shown !== '' && start(), FIRST_FRAME_MS);
  }

  function start(): void {
    // Starting a running screencast is an error, even when an earlier viewer started it.
    send('Page.stopScreencast', {}, shown);
    // The canvas has at most two pixels per CSS pixel. More would not look sharper.
    const scale = Math.min(2, Math.max(1, size.density));
    const params = {
      format: 'jpeg',
      ...pace,
      maxWidth: Math.round(size.width * scale),
      maxHeight: Math.round(size.height * scale),
      everyNthFrame: 1,
      sendLastFrame: true,
    };
    send('Page.startScreencast', params, shown);
    expectFrame();
  }

  function stop(): void {
    clearTimeout(restartTimer);
    if (shown !== '') send('Page.stopScreencast', {}, shown);
    shown = '';
  }

  function slowDownIfLate({ timestamp }: FrameMetadata): void {
    if (timestamp === undefined) return;
    const lag = now() - timestamp * 1000;
    leastLag = Math.min(leastLag, lag);
    if (pace === CALM || lag - leastLag < MAX_LAG_MS) return;
    pace = CALM;
    start();
  }

  async function draw(frame: Frame, sessionId: string, number: number): Promise<void> {
    // Draws only the newest of the waiting frames.
    if (number === newest && sessionId === shown) {
      const image = await decode(frame.data);
      if (image !== null && sessionId === shown) paint(image, frame.metadata);
      image?.close();
    }
    send('Page.screencastFrameAck', { sessionId: frame.sessionId }, sessionId);
    if (sessionId === shown) slowDownIfLate(frame.metadata);
  }

  return {
    show(sessionId, next) {
      stop();
      shown = sessionId;
      size = next;
      pace = BRISK;
      start();
    },
    expect: expectFrame,
    stop,
    onFrame(frame, sessionId) {
      if (sessionId === shown) {
        clearTimeout(restartTimer);
        newest += 1;
      }
      const number = newest;
      drawing = drawing.then(() => draw(frame, sessionId, number));
    },
  };
}

async function decodeJpeg(base64: string): Promise<ImageBitmap | null> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  try {
    return await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
  } catch {
    // The picture is damaged. The next frame replaces it.
    return null;
  }
}
