// Where the picture of the page is in the window, and so where a place of the one is in the other.
import type { FrameMetadata } from '../remote/protocol.ts';

/** In the page's own CSS pixels. */
export interface Point {
  x: number;
  y: number;
}

/** The picture stands in the left upper corner of its canvas. */
export interface Place {
  /** Our pixels in one of the page's. */
  scale: number;
  /** In the page's. */
  offsetTop: number;
}

export const UNSCALED: Place = { scale: 1, offsetTop: 0 };

/** How the picture fits the box: whole, undistorted. A page made for wider windows is drawn smaller by itself. */
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
