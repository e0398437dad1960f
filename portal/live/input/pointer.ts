// Mouse, wheel and fingers, as the browser at the other end takes them.
import type { Params } from '../wire/commands.ts';
import { modifiersOf } from './keyboard.ts';
import type { Point } from './place.ts';

export type MouseKind = 'mousePressed' | 'mouseReleased' | 'mouseMoved';
export type TouchKind = 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel';

const MOST_CLICKS = 3;
/** Some phones count their fingers from far above what the gateway lets through. */
const FINGERS = 100;
const BUTTONS = ['left', 'middle', 'right', 'back', 'forward'] as const;
// A line and a page of a wheel that counts in them, in pixels.
const WHEEL_UNITS = [1, 16, 400];

export function mouse(type: MouseKind, event: MouseEvent, point: Point): Params {
  const isMove = type === 'mouseMoved';
  return {
    type,
    ...point,
    button: isMove ? heldButton(event.buttons) : (BUTTONS[event.button] ?? 'none'),
    buttons: event.buttons,
    clickCount: isMove ? 0 : Math.min(MOST_CLICKS, Math.max(1, event.detail)),
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
    id: Math.abs(each.identifier) % FINGERS,
  }));
  // An end has no points: one finger less is a move of those that are left.
  return { type: type === 'touchEnd' && touchPoints.length > 0 ? 'touchMove' : type, touchPoints };
}

function heldButton(buttons: number): string {
  if (buttons & 1) return 'left';
  if (buttons & 2) return 'right';
  return buttons & 4 ? 'middle' : 'none';
}
