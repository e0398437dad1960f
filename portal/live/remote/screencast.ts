// The pictures: one page at a time, acknowledged once drawn, so that a slow line slows the browser down instead of
// falling behind it.
import type { Params } from '../wire/commands.ts';
import type { Frame, FrameMetadata } from './protocol.ts';

export type Paint = (image: ImageBitmap, metadata: FrameMetadata) => void;

export interface Size {
  width: number;
  height: number;
  /** The screen's pixels in one of ours. */
  density: number;
}

type Send = (method: string, params: Params, sessionId: string) => void;

interface Pace {
  maxFramesInFlight: number;
  quality: number;
}

const BRISK: Pace = { maxFramesInFlight: 3, quality: 80 };
const CALM: Pace = { maxFramesInFlight: 2, quality: 40 };
/** A page that was just started to be drawn, or has just come, sends a picture sooner than this; or it forgot to. */
const FORGOTTEN_MS = 1200;
/** A frame older than this means that the line cannot keep up. */
const LATE_MS = 300;

export interface Screencast {
  /** Of this page, in this size from now on. */
  show: (sessionId: string, size: Size) => void;
  /** The shown page is another one now: there has to be a picture of it. */
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
  // The clocks of two machines: the least difference seen is the line at its best.
  let leastLag = Infinity;
  let forgotten: ReturnType<typeof setTimeout> | undefined;

  // A browser that changes what draws a page can leave the screencast with the old one, and a page at rest sends nothing
  // by itself.
  function expectFrame(): void {
    clearTimeout(forgotten);
    forgotten = setTimeout(() => shown !== '' && start(), FORGOTTEN_MS);
  }

  function start(): void {
    // Starting twice is an error, also when it was somebody before us.
    send('Page.stopScreencast', {}, shown);
    // The backing store of the canvas has twice the pixels at most; more is not sharper.
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
    clearTimeout(forgotten);
    if (shown !== '') send('Page.stopScreencast', {}, shown);
    shown = '';
  }

  function slowDownIfLate({ timestamp }: FrameMetadata): void {
    if (timestamp === undefined) return;
    const lag = now() - timestamp * 1000;
    leastLag = Math.min(leastLag, lag);
    if (pace === CALM || lag - leastLag < LATE_MS) return;
    pace = CALM;
    start();
  }

  async function draw(frame: Frame, sessionId: string, number: number): Promise<void> {
    // Of frames that wait, the last one is the one to see.
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
        clearTimeout(forgotten);
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
    // A picture that came broken: the next one will do.
    return null;
  }
}
