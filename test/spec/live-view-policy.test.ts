// Tests which commands a viewer may send, and how their parameters are filtered. reference: Live view commands; decision: 050
import { describe, expect, it } from 'vitest';
import { judge } from '../../src/live-view/policy.ts';

const DEVICE = { width: 390, height: 844, deviceScaleFactor: 3, mobile: true };

describe("the live view's command policy", () => {
  it.each<[string, object]>([
    ['Page.enable', {}],
    ['Page.disable', {}],
    ['Page.bringToFront', {}],
    ['Page.stopLoading', {}],
    ['Page.close', {}],
    ['Page.reload', { ignoreCache: true }],
    ['Page.getNavigationHistory', {}],
    ['Page.navigateToHistoryEntry', { entryId: 3 }],
    ['Page.getLayoutMetrics', {}],
    ['Page.getFrameTree', {}],
    ['Page.navigate', { url: 'https://example.com/a?b#c' }],
    ['Page.navigate', { url: 'http://example.com' }],
    ['Page.navigate', { url: 'about:blank' }],
    ['Page.handleJavaScriptDialog', { accept: true, promptText: 'x' }],
    [
      'Page.startScreencast',
      { format: 'jpeg', quality: 60, maxWidth: 1280, maxFramesInFlight: 3, sendLastFrame: true },
    ],
    ['Page.stopScreencast', {}],
    ['Page.screencastFrameAck', { sessionId: 7 }],
    ['Page.captureScreenshot', { format: 'png' }],
    [
      'Input.dispatchMouseEvent',
      { type: 'mousePressed', x: 1.5, y: 2, button: 'left', buttons: 1, clickCount: 2, modifiers: 8 },
    ],
    ['Input.dispatchMouseEvent', { type: 'mouseWheel', x: 1, y: 2, deltaX: 0, deltaY: -120 }],
    ['Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 1, y: 2, id: 0 }] }],
    ['Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }],
    [
      'Input.dispatchKeyEvent',
      { type: 'keyDown', key: 'a', code: 'KeyA', text: 'a', windowsVirtualKeyCode: 65 },
    ],
    [
      'Input.dispatchKeyEvent',
      { type: 'rawKeyDown', commands: ['selectAll', 'copy', 'moveToBeginningOfLine'] },
    ],
    ['Input.insertText', { text: 'é'.repeat(65_536) }],
    ['Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 }],
    ['Emulation.setDeviceMetricsOverride', DEVICE],
    ['Emulation.clearDeviceMetricsOverride', {}],
    ['Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }],
    ['Emulation.setEmitTouchEventsForMouse', { enabled: true, configuration: 'mobile' }],
    ['Emulation.setFocusEmulationEnabled', { enabled: true }],
    ['Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'dark' }] }],
    ['Emulation.setTimezoneOverride', { timezoneId: 'Europe/Vienna' }],
    ['Emulation.setLocaleOverride', { locale: 'de-AT' }],
    ['Target.getTargets', {}],
    ['Target.activateTarget', { targetId: 'A1' }],
    ['Target.closeTarget', { targetId: 'A1' }],
    ['Target.createTarget', { url: 'https://example.com/' }],
    ['Target.attachToTarget', { targetId: 'A1' }],
    ['Target.setDiscoverTargets', { discover: true }],
    ['Target.setAutoAttach', { autoAttach: true }],
    ['Browser.getVersion', {}],
    ['LiveView.select', { id: 1, index: 0 }],
    ['LiveView.paste', { text: 'x' }],
  ])('passes %s unchanged', (method, params) => {
    expect(judge(method, params)).toEqual({ ok: true, params });
  });

  it.each([
    'DOM.setFileInputFiles',
    'Input.dispatchDragEvent',
    'Input.setInterceptDrags',
    'Target.createBrowserContext',
    'Target.exposeDevToolsProtocol',
    'Target.attachToBrowserTarget',
    'Target.sendMessageToTarget',
    'Target.setRemoteLocations',
    'Network.getAllCookies',
    'Network.loadNetworkResource',
    'Network.setCookie',
    'Storage.getCookies',
    'Fetch.enable',
    'IO.read',
    'Page.setDownloadBehavior',
    'Page.getResourceContent',
    'Page.captureSnapshot',
    'Page.printToPDF',
    'Page.addScriptToEvaluateOnNewDocument',
    'Page.createIsolatedWorld',
    'Page.setInterceptFileChooserDialog',
    'Page.setBypassCSP',
    'Page.setDocumentContent',
    'Browser.setDownloadBehavior',
    'Browser.grantPermissions',
    'Browser.getBrowserCommandLine',
    'Browser.close',
    'Security.setIgnoreCertificateErrors',
    'Runtime.evaluate',
    'Runtime.addBinding',
    'Debugger.enable',
    'SystemInfo.getInfo',
    'Tracing.start',
    'HeapProfiler.takeHeapSnapshot',
    'Extensions.loadUnpacked',
    'FileSystem.getDirectory',
    'page.enable',
    'Page.enable ',
    'LiveView.focus',
    'toString',
    'constructor',
    '__proto__',
    'hasOwnProperty',
  ])('refuses %s', (method) => {
    expect(judge(method, {})).toEqual({ ok: false, code: -32000, message: `Not allowed: ${method}` });
  });

  it.each<[string, object]>([
    ...[
      'file:///etc/passwd',
      'chrome://settings',
      'view-source:https://example.com/',
      'javascript:alert(1)',
      'data:text/html,x',
      'blob:https://example.com/1',
      'about:srcdoc',
      'devtools://devtools',
      'ftp://example.com',
      'filesystem:http://example.com/x',
      ' about:blank',
      'example.com',
      '',
    ].flatMap((url): [string, object][] => [
      ['Page.navigate', { url }],
      ['Target.createTarget', { url }],
    ]),
    ['Page.navigate', {}],
    ['Page.navigate', { url: ['https://example.com'] }],
    ['Input.insertText', { text: 'x'.repeat(65_537) }],
    ['LiveView.paste', { text: 'x'.repeat(65_537) }],
    ['Input.insertText', { text: 5 }],
    ['Input.dispatchMouseEvent', { type: 'mouseDragged', x: 1, y: 1 }],
    ['Input.dispatchMouseEvent', { type: 'mouseMoved', x: '1', y: 1 }],
    ['Input.dispatchMouseEvent', { type: 'mouseMoved', x: Number.MAX_VALUE, y: 1 }],
    [
      'Input.dispatchTouchEvent',
      { type: 'touchMove', touchPoints: Array.from({ length: 11 }, () => ({ x: 1, y: 1 })) },
    ],
    ...['insertHTML', 'createLink', 'paste', 'insertText:x', 'Delete ', 'formatBlock'].map(
      (name): [string, object] => ['Input.dispatchKeyEvent', { type: 'keyDown', commands: [name] }],
    ),
    ['Emulation.setDeviceMetricsOverride', { ...DEVICE, width: 199 }],
    ['Emulation.setDeviceMetricsOverride', { ...DEVICE, height: 2_561 }],
    ['Emulation.setDeviceMetricsOverride', { ...DEVICE, deviceScaleFactor: 5 }],
    ['Page.startScreencast', { format: 'gif' }],
    ['Page.captureScreenshot', { format: 'pdf' }],
    ['Page.screencastFrameAck', { sessionId: 'A' }],
  ])('refuses %s with %j', (method, params) => {
    expect(judge(method, params)).toMatchObject({ ok: false, code: -32602 });
  });

  it.each<[string, object, object]>([
    ['Page.reload', { ignoreCache: true, scriptToEvaluateOnLoad: 'alert(1)' }, { ignoreCache: true }],
    [
      'Page.navigate',
      { url: 'https://a.example/', referrer: 'https://b.example/', frameId: 'F' },
      { url: 'https://a.example/' },
    ],
    ['Page.captureScreenshot', { format: 'png', captureBeyondViewport: true, clip: {} }, { format: 'png' }],
    [
      'Target.createTarget',
      { url: 'https://a.example/', browserContextId: 'B', forTab: true, background: true },
      { url: 'https://a.example/' },
    ],
    [
      'Target.setAutoAttach',
      { autoAttach: true, filter: [{}], waitForDebuggerOnStart: true },
      { autoAttach: true },
    ],
    ['Input.dispatchKeyEvent', { type: 'keyUp', isSystemKey: true, timestamp: 1 }, { type: 'keyUp' }],
    [
      'Input.dispatchMouseEvent',
      { type: 'mouseMoved', x: 1, y: 2, data: { files: ['/etc/passwd'] } },
      { type: 'mouseMoved', x: 1, y: 2 },
    ],
  ])('keeps only the known parameters of %s', (method, params, kept) => {
    expect(judge(method, params)).toEqual({ ok: true, params: kept });
  });

  it('limits the screencast to the size of a window', () => {
    expect(judge('Page.startScreencast', { quality: 400, maxWidth: 1e9, maxHeight: -5 })).toEqual({
      ok: true,
      params: { quality: 100, maxWidth: 5_120, maxHeight: 1 },
    });
  });
});
