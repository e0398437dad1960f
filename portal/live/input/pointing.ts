// Mouse, wheel and fingers over the picture.
import type { Params } from '../wire/commands.ts';
import type { Point } from './place.ts';
import { mouse, type MouseKind, touch, type TouchKind, wheel } from './pointer.ts';

interface Pointed {
  send: (method: string, params: Params) => void;
  /** Where in the page a place of the window is. */
  toPoint: (place: { clientX: number; clientY: number }) => Point;
  /** The person is at it: what they type next is for the site. */
  onUse: () => void;
}

/** A finger that moved further than this has not tapped. */
const TAP_PX = 8;

/** Listens on the canvas; answers with the way to stop that. */
export function listenToPointing(canvas: HTMLElement, { send, toPoint, onUse }: Pointed): () => void {
  let held = false;
  let tapAt: Point | null = null;

  const sendMouse = (type: MouseKind, event: MouseEvent) =>
    send('Input.dispatchMouseEvent', mouse(type, event, toPoint(event)));
  const sendTouch = (type: TouchKind, event: TouchEvent) => {
    event.preventDefault();
    send('Input.dispatchTouchEvent', touch(type, event, toPoint));
  };

  function onDown(event: MouseEvent): void {
    // The focus goes where it can be typed, not to the picture.
    event.preventDefault();
    held = true;
    onUse();
    sendMouse('mousePressed', event);
  }

  function onUp(event: MouseEvent): void {
    if (!held) return;
    held = event.buttons !== 0;
    sendMouse('mouseReleased', event);
  }

  // A drag may leave the picture.
  function onMove(event: MouseEvent): void {
    if (held || event.target === canvas) sendMouse('mouseMoved', event);
  }

  function onWheel(event: WheelEvent): void {
    // With Ctrl it is the person's own zoom.
    if (event.ctrlKey) return;
    event.preventDefault();
    send('Input.dispatchMouseEvent', wheel(event, toPoint(event)));
  }

  function onTouchStart(event: TouchEvent): void {
    const [first] = event.touches;
    tapAt = event.touches.length === 1 && first !== undefined ? { x: first.clientX, y: first.clientY } : null;
    sendTouch('touchStart', event);
  }

  function onTouchMove(event: TouchEvent): void {
    const [first] = event.touches;
    if (tapAt !== null && first !== undefined) {
      const far = Math.hypot(first.clientX - tapAt.x, first.clientY - tapAt.y) > TAP_PX;
      if (far) tapAt = null;
    }
    sendTouch('touchMove', event);
  }

  function onTouchEnd(event: TouchEvent): void {
    sendTouch('touchEnd', event);
    // Phones open their keyboard for a tap only, and only in answer to it.
    if (tapAt !== null) onUse();
    tapAt = null;
  }

  const stop = new AbortController();
  const { signal } = stop;
  const active = { signal, passive: false };
  canvas.addEventListener('mousedown', onDown, { signal });
  window.addEventListener('mouseup', onUp, { signal });
  window.addEventListener('mousemove', onMove, { signal });
  canvas.addEventListener('wheel', onWheel, active);
  canvas.addEventListener('touchstart', onTouchStart, active);
  canvas.addEventListener('touchmove', onTouchMove, active);
  canvas.addEventListener('touchend', onTouchEnd, active);
  canvas.addEventListener('touchcancel', (event) => sendTouch('touchCancel', event), active);
  // The site's own menu never shows in a picture, and the portal's is about the wrong page.
  canvas.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
  return () => stop.abort();
}
