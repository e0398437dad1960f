// Tests the limits of each parameter of a viewer's command. reference: Live view commands; decision: 050
import { describe, expect, it } from 'vitest';
import { judge } from '../../src/live-view/policy.ts';

// Each command with every parameter it knows.
const WHOLE: Record<string, Record<string, unknown>> = {
  'Page.handleJavaScriptDialog': { accept: false, promptText: 'x' },
  'Page.navigateToHistoryEntry': { entryId: 3 },
  'Page.reload': { ignoreCache: false },
  'Page.startScreencast': {
    format: 'png',
    quality: 0,
    maxWidth: 5_120,
    maxHeight: 1,
    everyNthFrame: 2,
    maxFramesInFlight: 2,
    sendLastFrame: false,
  },
  'Page.captureScreenshot': { format: 'jpeg', quality: 80 },
  'Input.dispatchMouseEvent': {
    type: 'mouseWheel',
    x: 1,
    y: 2,
    modifiers: 1,
    button: 'none',
    buttons: 1,
    clickCount: 1,
    deltaX: 1,
    deltaY: 2,
    pointerType: 'mouse',
  },
  'Input.dispatchTouchEvent': {
    type: 'touchMove',
    touchPoints: [{ x: 1, y: 2, radiusX: 3, radiusY: 4, force: 0.5, id: 1 }],
    modifiers: 1,
  },
  'Input.dispatchKeyEvent': {
    type: 'keyDown',
    modifiers: 1,
    text: 'a',
    unmodifiedText: 'a',
    code: 'KeyA',
    key: 'a',
    windowsVirtualKeyCode: 65,
    nativeVirtualKeyCode: 65,
    autoRepeat: true,
    isKeypad: false,
    location: 1,
    commands: ['copy'],
  },
  'Input.imeSetComposition': {
    text: 'x',
    selectionStart: 1,
    selectionEnd: 2,
    replacementStart: 3,
    replacementEnd: 4,
  },
  'Input.insertText': { text: 'x' },
  'Emulation.setDeviceMetricsOverride': {
    width: 390,
    height: 844,
    deviceScaleFactor: 3,
    mobile: true,
    screenOrientation: { type: 'portraitPrimary', angle: 90 },
  },
  'Emulation.setTouchEmulationEnabled': { enabled: true, maxTouchPoints: 2 },
  'Emulation.setEmitTouchEventsForMouse': { enabled: true, configuration: 'mobile' },
  'Emulation.setFocusEmulationEnabled': { enabled: true },
  'Emulation.setEmulatedMedia': { media: 'screen', features: [{ name: 'a', value: 'b' }] },
  'Emulation.setTimezoneOverride': { timezoneId: 'Europe/Vienna' },
  'Emulation.setLocaleOverride': { locale: 'de-AT' },
  'Target.activateTarget': { targetId: 'A1' },
  'Target.setDiscoverTargets': { discover: true },
  'Target.setAutoAttach': { autoAttach: true },
  'LiveView.select': { id: 1, index: 1 },
  'LiveView.paste': { text: 'x' },
};

/** Judges a whole command with another value at a path, such as `touchPoints.0.x`. */
function judgeWith(method: string, path: string, value: unknown) {
  const set = (place: unknown, [key = '', ...below]: string[]): unknown => {
    const next = below.length === 0 ? value : set(Reflect.get(Object(place), key), below);
    return Array.isArray(place) ? place.with(Number(key), next) : { ...Object(place), [key]: next };
  };
  return judge(method, set(WHOLE[method], path.split('.')));
}

describe('a command parameter', () => {
  it.each(Object.entries(WHOLE))('of %s passes with all others', (method, params) => {
    expect(judge(method, params)).toEqual({ ok: true, params });
  });

  it.each<[string, string, number, number]>([
    ['Page.startScreencast', 'everyNthFrame', 1, 60],
    ['Page.startScreencast', 'maxFramesInFlight', 1, 8],
    ['Page.captureScreenshot', 'quality', 0, 100],
    ['Input.dispatchMouseEvent', 'x', -100_000, 100_000],
    ['Input.dispatchMouseEvent', 'deltaY', -100_000, 100_000],
    ['Input.dispatchMouseEvent', 'modifiers', 0, 15],
    ['Input.dispatchMouseEvent', 'buttons', 0, 31],
    ['Input.dispatchMouseEvent', 'clickCount', 0, 3],
    ['Input.dispatchTouchEvent', 'touchPoints.0.y', -100_000, 100_000],
    ['Input.dispatchTouchEvent', 'touchPoints.0.radiusX', -100_000, 100_000],
    ['Input.dispatchTouchEvent', 'touchPoints.0.force', 0, 1],
    ['Input.dispatchTouchEvent', 'touchPoints.0.id', 0, 100],
    ['Input.dispatchKeyEvent', 'modifiers', 0, 15],
    ['Input.dispatchKeyEvent', 'windowsVirtualKeyCode', 0, 65_535],
    ['Input.dispatchKeyEvent', 'nativeVirtualKeyCode', 0, 65_535],
    ['Input.dispatchKeyEvent', 'location', 0, 3],
    ['Emulation.setDeviceMetricsOverride', 'width', 200, 2_560],
    ['Emulation.setDeviceMetricsOverride', 'height', 200, 2_560],
    ['Emulation.setDeviceMetricsOverride', 'deviceScaleFactor', 0, 4],
    ['Emulation.setDeviceMetricsOverride', 'screenOrientation.angle', 0, 270],
    ['Emulation.setTouchEmulationEnabled', 'maxTouchPoints', 1, 10],
    ['LiveView.select', 'index', 0, 100_000],
  ])('of %s, %s, is a number from %d to %d', (method, path, least, most) => {
    for (const value of [least, most]) expect(judgeWith(method, path, value)).toMatchObject({ ok: true });
    for (const value of [least - 1, most + 1, String(most)])
      expect(judgeWith(method, path, value)).toEqual({
        ok: false,
        code: -32602,
        message: `Not allowed: ${method} with this ${path}`,
      });
  });

  it.each<[string, string, string[]]>([
    ['Page.startScreencast', 'format', ['jpeg', 'png']],
    ['Page.captureScreenshot', 'format', ['jpeg', 'png']],
    ['Input.dispatchMouseEvent', 'type', ['mousePressed', 'mouseReleased', 'mouseMoved', 'mouseWheel']],
    ['Input.dispatchMouseEvent', 'button', ['none', 'left', 'middle', 'right', 'back', 'forward']],
    ['Input.dispatchMouseEvent', 'pointerType', ['mouse', 'pen']],
    ['Input.dispatchTouchEvent', 'type', ['touchStart', 'touchEnd', 'touchMove', 'touchCancel']],
    ['Input.dispatchKeyEvent', 'type', ['keyDown', 'keyUp', 'rawKeyDown', 'char']],
    [
      'Emulation.setDeviceMetricsOverride',
      'screenOrientation.type',
      ['portraitPrimary', 'portraitSecondary', 'landscapePrimary', 'landscapeSecondary'],
    ],
    ['Emulation.setEmitTouchEventsForMouse', 'configuration', ['mobile', 'desktop']],
    ['Emulation.setEmulatedMedia', 'media', ['', 'screen', 'print']],
    [
      'Input.dispatchKeyEvent',
      'commands.0',
      [
        'copy',
        'cut',
        'undo',
        'redo',
        'unselect',
        'selectAll',
        'moveLeft',
        'deleteWordBackward',
        'scrollPageUp',
      ],
    ],
  ])('of %s, %s, is one of %j', (method, path, choices) => {
    for (const value of choices) expect(judgeWith(method, path, value)).toMatchObject({ ok: true });
    for (const value of ['other', `x${choices.at(-1)}`, `${choices.at(-1)}.`, 1])
      expect(judgeWith(method, path, value)).toMatchObject({ ok: false, code: -32602 });
  });

  it.each<[string, string, number]>([
    ['Page.handleJavaScriptDialog', 'promptText', 65_536],
    ['Input.imeSetComposition', 'text', 65_536],
    ['Input.dispatchKeyEvent', 'text', 100],
    ['Input.dispatchKeyEvent', 'unmodifiedText', 100],
    ['Input.dispatchKeyEvent', 'code', 100],
    ['Input.dispatchKeyEvent', 'key', 100],
    ['Target.activateTarget', 'targetId', 100],
    ['Emulation.setTimezoneOverride', 'timezoneId', 100],
    ['Emulation.setLocaleOverride', 'locale', 100],
    ['Emulation.setEmulatedMedia', 'features.0.name', 100],
    ['Emulation.setEmulatedMedia', 'features.0.value', 100],
  ])('of %s, %s, is a text of at most %d characters', (method, path, most) => {
    expect(judgeWith(method, path, 'x'.repeat(most))).toMatchObject({ ok: true });
    for (const value of ['x'.repeat(most + 1), 1, null])
      expect(judgeWith(method, path, value)).toMatchObject({ ok: false, code: -32602 });
  });

  it.each<[string, string, unknown, number]>([
    ['Input.dispatchTouchEvent', 'touchPoints', { x: 1, y: 2 }, 10],
    ['Input.dispatchKeyEvent', 'commands', 'copy', 4],
    ['Emulation.setEmulatedMedia', 'features', { name: 'a', value: 'b' }, 10],
  ])('of %s, %s, is a list of %j with at most %d items', (method, path, item, most) => {
    const many = (length: number) => Array.from({ length }, () => item);
    expect(judgeWith(method, path, many(most))).toMatchObject({ ok: true });
    for (const value of [many(most + 1), item])
      expect(judgeWith(method, path, value)).toMatchObject({ ok: false, code: -32602 });
  });

  it.each([
    ['Page.handleJavaScriptDialog', 'accept'],
    ['Page.reload', 'ignoreCache'],
    ['Page.startScreencast', 'sendLastFrame'],
    ['Input.dispatchKeyEvent', 'autoRepeat'],
    ['Input.dispatchKeyEvent', 'isKeypad'],
    ['Emulation.setDeviceMetricsOverride', 'mobile'],
    ['Emulation.setTouchEmulationEnabled', 'enabled'],
    ['Emulation.setFocusEmulationEnabled', 'enabled'],
    ['Target.setDiscoverTargets', 'discover'],
    ['Target.setAutoAttach', 'autoAttach'],
  ])('of %s, %s, is a boolean', (method, path) => {
    for (const value of [true, false]) expect(judgeWith(method, path, value)).toMatchObject({ ok: true });
    for (const value of [1, 'true', null])
      expect(judgeWith(method, path, value)).toMatchObject({ ok: false, code: -32602 });
  });

  it('has at most 8,192 characters when it is an address', () => {
    for (const method of ['Page.navigate', 'Target.createTarget']) {
      const url = 'https://a.example/'.padEnd(8_192, 'x');
      expect(judge(method, { url })).toEqual({ ok: true, params: { url } });
      expect(judge(method, { url: `${url}x` })).toMatchObject({ ok: false, code: -32602 });
    }
  });
});

it('is refused with at most 100 characters of the method, and says when the whole is wrong', () => {
  expect(judge('x'.repeat(101), {})).toMatchObject({ message: `Not allowed: ${'x'.repeat(100)}` });
  expect(judge('Page.navigate', 5)).toMatchObject({ message: 'Not allowed: Page.navigate with this value' });
});
