// Translates mouse, wheel and touch events into commands for the remote browser.
import type { Params } from '../wire/commands.ts';
import { modifiersOf } from './keyboard.ts';
import type { Point } from './place.ts';

export type MouseKind = 'mousePressed' | 'mouseReleased' | 'mouseMoved';
export type TouchKind = 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel';

const MAX_CLICKS = 3;
/** Touch ids must be below this. Some phones use much higher ids. */
const MAX_TOUCH_ID = 100;
const BUTTONS = ['left', 'middle', 'right', 'back', 'forward'] as const;
// Pixels per unit, for wheels that count in pixels, lines or pages.
const WHEEL_UNITS = [1, 16, 400];

export function mouse(type: MouseKind, event: MouseEvent, point: Point): Params {
  const isMove = type === 'mouseMoved';
  return {
    type,
    ...point,
    button: isMove ? heldButton(event.buttons) : (BUTTONS[event.button] ?? 'none'),
    buttons: event.buttons,
    clickCount: isMove ? 0 : Math.min(MAX_CLICKS, Math.max(1, event.detail)),
    modifiers: modifiersOf(event),
  };
}

export function wheel(event: WheelEvent, point: Point): Params {
  const unit = WHEEL_UNITS[event.deltaMode] ?? 1;
  return {
    type: 'mouseWheel',
    ...point,
    deltaX: event.deltaX * unit,
    deltaY: event.deltaY * unit,
    modifiers: modifiersOf(event),
  };
}

export function touch(type: TouchKind, event: TouchEvent, toPoint: (touch: Touch) => Point): Params {
  const touchPoints = [...event.touches].map((each) => ({
    ...toPoint(each),
    id: Math.abs(each.identifier) % MAX_TOUCH_ID,
  }));
  // A touchEnd has no points. When fingers remain, the event is a move of those.
  return { type: type === 'touchEnd' && touchPoints.length > 0 ? 'touchMove' : type, touchPoints };
}

function heldButton(buttons: number): string {
  if (buttons & 1) return 'left';
  if (buttons & 2) return 'right';
  return buttons & 4 ? 'middle' : 'none';
}
