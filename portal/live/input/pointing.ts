// Listens for mouse, wheel and touch events on the picture.
import type { Params } from '../wire/commands.ts';
import type { Point } from './place.ts';
import { mouse, type MouseKind, touch, type TouchKind, wheel } from './pointer.ts';

interface PointingOptions {
  send: (method: string, params: Params) => void;
  /** Converts a point of the window into a point of the page. */
  toPoint: (place: { clientX: number; clientY: number }) => Point;
  /** Runs when the person uses the picture: what they type next goes to the site. */
  onUse: () => void;
}

/** A finger that moves further than this does not tap. */
const MAX_TAP_PX = 8;

/** Listens on the canvas. Returns a function that stops listening. */
export function listenToPointing(canvas: HTMLElement, { send, toPoint, onUse }: PointingOptions): () => void {
  let held = false;
  let tapAt: Point | null = null;

  const sendMouse = (type: MouseKind, event: MouseEvent) =>
    send('Input.dispatchMouseEvent', mouse(type, event, toPoint(event)));
  const sendTouch = (type: TouchKind, event: TouchEvent) => {
    event.preventDefault();
    send('Input.dispatchTouchEvent', touch(type, event, toPoint));
  };

  function onDown(event: MouseEvent): void {
    // Keeps the focus in the typing field instead of the picture.
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

  // A drag continues outside the picture.
  function onMove(event: MouseEvent): void {
    if (held || event.target === canvas) sendMouse('mouseMoved', event);
  }

  function onWheel(event: WheelEvent): void {
    // Ctrl and the wheel zoom the person's own browser.
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
      const far = Math.hypot(first.clientX - tapAt.x, first.clientY - tapAt.y) > MAX_TAP_PX;
      if (far) tapAt = null;
    }
    sendTouch('touchMove', event);
  }

  function onTouchEnd(event: TouchEvent): void {
    sendTouch('touchEnd', event);
    // Phones open their keyboard only in the handler of a tap.
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
  // The portal's context menu would be about the wrong page, and a picture never shows the site's menu.
  canvas.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
  return () => stop.abort();
}
