// Decides which browser commands a viewer may send. Commands and parameters that are not listed here are
// refused or dropped. docs/live-view.md
import * as z from 'zod';
import { JsonRpcCode } from '../http/error-codes.ts';
import { LIVE_VIEW_TEXT } from './limits.ts';

const none = z.object({});
const flag = z.boolean();
const text = z.string().max(LIVE_VIEW_TEXT);
const word = z.string().max(100);
const target = z.object({ targetId: word });
const coordinate = z.number().min(-100_000).max(100_000);
const modifiers = z.int().min(0).max(15).optional();
const pixels = z.int().min(200).max(2_560);
const imageFormat = z.enum(['jpeg', 'png']);
const quality = z.int().min(0).max(100).optional();
/** Allows no file of this machine and no internal page of the browser. */
const address = z
  .string()
  .max(8_192)
  .refine((url) => url === 'about:blank' || /^https?:$/.test(URL.parse(url)?.protocol ?? ''));
/** Editing commands as the keys of a Mac send them. Blink's own names allow more, such as inserting HTML. */
const editing = z
  .string()
  .regex(/^(copy|cut|undo|redo|unselect|selectAll|(move|delete|scroll)[A-Za-z]{1,60})$/);

const button = z.enum(['none', 'left', 'middle', 'right', 'back', 'forward']).optional();
const mouse = z.object({
  type: z.enum(['mousePressed', 'mouseReleased', 'mouseMoved', 'mouseWheel']),
  x: coordinate,
  y: coordinate,
  modifiers,
  button,
  buttons: z.int().min(0).max(31).optional(),
  clickCount: z.int().min(0).max(3).optional(),
  deltaX: coordinate.optional(),
  deltaY: coordinate.optional(),
  pointerType: z.enum(['mouse', 'pen']).optional(),
});
const touchPoint = z.object({
  x: coordinate,
  y: coordinate,
  radiusX: coordinate.optional(),
  radiusY: coordinate.optional(),
  force: z.number().min(0).max(1).optional(),
  id: z.int().min(0).max(100).optional(),
});
const touch = z.object({
  type: z.enum(['touchStart', 'touchEnd', 'touchMove', 'touchCancel']),
  touchPoints: z.array(touchPoint).max(10),
  modifiers,
});
const key = z.object({
  type: z.enum(['keyDown', 'keyUp', 'rawKeyDown', 'char']),
  modifiers,
  text: word.optional(),
  unmodifiedText: word.optional(),
  code: word.optional(),
  key: word.optional(),
  windowsVirtualKeyCode: z.int().min(0).max(65_535).optional(),
  nativeVirtualKeyCode: z.int().min(0).max(65_535).optional(),
  autoRepeat: flag.optional(),
  isKeypad: flag.optional(),
  location: z.int().min(0).max(3).optional(),
  commands: z.array(editing).max(4).optional(),
});
const composition = z.object({
  text,
  selectionStart: z.int(),
  selectionEnd: z.int(),
  replacementStart: z.int().optional(),
  replacementEnd: z.int().optional(),
});

/** Clamps instead of refusing, because a viewer asks for the size of its window. */
const side = z.number().transform((value) => Math.round(Math.min(Math.max(value, 1), 5_120)));
const screencast = z.object({
  format: imageFormat.optional(),
  quality: z
    .number()
    .transform((value) => Math.round(Math.min(Math.max(value, 0), 100)))
    .optional(),
  maxWidth: side.optional(),
  maxHeight: side.optional(),
  everyNthFrame: z.int().min(1).max(60).optional(),
  maxFramesInFlight: z.int().min(1).max(8).optional(),
  sendLastFrame: flag.optional(),
});
const metrics = z.object({
  width: pixels,
  height: pixels,
  deviceScaleFactor: z.number().min(0).max(4),
  mobile: flag,
  screenOrientation: z
    .object({
      type: z.enum(['portraitPrimary', 'portraitSecondary', 'landscapePrimary', 'landscapeSecondary']),
      angle: z.int().min(0).max(270),
    })
    .optional(),
});
const media = z.object({
  media: z.enum(['', 'screen', 'print']).optional(),
  features: z
    .array(z.object({ name: word, value: word }))
    .max(10)
    .optional(),
});

const ALLOWED: Record<string, z.ZodObject> = {
  'Page.enable': none,
  'Page.disable': none,
  'Page.bringToFront': none,
  'Page.stopLoading': none,
  'Page.close': none,
  'Page.reload': z.object({ ignoreCache: flag.optional() }),
  'Page.getNavigationHistory': none,
  'Page.navigateToHistoryEntry': z.object({ entryId: z.int() }),
  'Page.getLayoutMetrics': none,
  'Page.getFrameTree': none,
  'Page.navigate': z.object({ url: address }),
  'Page.handleJavaScriptDialog': z.object({ accept: flag, promptText: text.optional() }),
  'Page.startScreencast': screencast,
  'Page.stopScreencast': none,
  // The number of a frame, not a protocol session.
  'Page.screencastFrameAck': z.object({ sessionId: z.int() }),
  'Page.captureScreenshot': z.object({ format: imageFormat.optional(), quality }),
  'Input.dispatchMouseEvent': mouse,
  'Input.dispatchTouchEvent': touch,
  'Input.dispatchKeyEvent': key,
  'Input.insertText': z.object({ text }),
  'Input.imeSetComposition': composition,
  'Emulation.setDeviceMetricsOverride': metrics,
  'Emulation.clearDeviceMetricsOverride': none,
  'Emulation.setTouchEmulationEnabled': z.object({
    enabled: flag,
    maxTouchPoints: z.int().min(1).max(10).optional(),
  }),
  'Emulation.setEmitTouchEventsForMouse': z.object({
    enabled: flag,
    configuration: z.enum(['mobile', 'desktop']).optional(),
  }),
  'Emulation.setFocusEmulationEnabled': z.object({ enabled: flag }),
  'Emulation.setEmulatedMedia': media,
  'Emulation.setTimezoneOverride': z.object({ timezoneId: word }),
  'Emulation.setLocaleOverride': z.object({ locale: word.optional() }),
  'Target.getTargets': none,
  'Target.activateTarget': target,
  'Target.closeTarget': target,
  'Target.createTarget': z.object({ url: address }),
  'Target.attachToTarget': target,
  'Target.setDiscoverTargets': z.object({ discover: flag }),
  'Target.setAutoAttach': z.object({ autoAttach: flag }),
  'Browser.getVersion': none,
  'LiveView.select': z.object({ id: z.int(), index: z.int().min(0).max(100_000) }),
  'LiveView.paste': z.object({ text }),
};

export type PolicyVerdict =
  | { ok: true; params: Record<string, unknown> }
  | { ok: false; code: JsonRpcCode; message: string };

export function judge(method: string, params: unknown): PolicyVerdict {
  const shape = Object.hasOwn(ALLOWED, method) ? ALLOWED[method] : undefined;
  if (shape === undefined)
    return { ok: false, code: JsonRpcCode.FORBIDDEN, message: `Not allowed: ${method.slice(0, 100)}` };
  const picked = shape.safeParse(params);
  if (picked.success) return { ok: true, params: picked.data };
  const at = picked.error.issues[0]?.path.join('.') ?? '';
  return {
    ok: false,
    code: JsonRpcCode.INVALID_PARAMS,
    message: `Not allowed: ${method} with this ${at === '' ? 'value' : at}`,
  };
}
