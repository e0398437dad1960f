// Converts points of the window into points of the remote page.
import type { FrameMetadata } from '../remote/protocol.ts';

/** CSS pixels of the page. */
export interface Point {
  x: number;
  y: number;
}

/** Where the picture lies in its canvas. It starts in the upper left corner. */
export interface Place {
  /** Pixels of the window per pixel of the page. */
  scale: number;
  /** Pixels of the page. */
  offsetTop: number;
}

export const UNSCALED: Place = { scale: 1, offsetTop: 0 };

/** Fits the whole picture into the box without distortion. The browser itself scales down a page for wider windows. */
export function placeOf(
  { deviceWidth, deviceHeight, offsetTop, pageScaleFactor }: FrameMetadata,
  box: { width: number; height: number },
): Place {
  const scale = Math.min(box.width / deviceWidth, box.height / deviceHeight) * pageScaleFactor;
  return scale > 0 && Number.isFinite(scale) ? { scale, offsetTop: offsetTop / pageScaleFactor } : UNSCALED;
}

export function pointIn(
  { scale, offsetTop }: Place,
  box: { left: number; top: number },
  { clientX, clientY }: { clientX: number; clientY: number },
): Point {
  const round = (length: number) => Math.round(length * 100) / 100;
  return { x: round((clientX - box.left) / scale), y: round((clientY - box.top) / scale - offsetTop) };
}
