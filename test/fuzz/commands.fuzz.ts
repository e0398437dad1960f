// Checks that mutated batches for the live view's browser are judged or refused as a whole, and that a real browser
// survives all of them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBatch } from '../../src/live-view/batch.ts';
import { judge } from '../../src/live-view/policy.ts';
import { describeInChromium } from '../support/chromium.ts';
import {
  createViewer,
  type LiveGateway,
  openLiveGateway,
  type Stream,
  type Viewer,
} from '../support/live-viewer.ts';
import { type Chance, fuzz } from './chance.ts';
import { mutateJson, mutateText } from './mutate.ts';

const SESSION = '0123456789ABCDEF0123456789ABCDEF';
const BATCHES = [
  { id: 1, method: 'Page.navigate', params: { url: 'about:blank' } },
  [
    { id: 1, method: 'Page.enable', sessionId: SESSION },
    {
      id: 2,
      method: 'Page.startScreencast',
      params: { format: 'jpeg', quality: 60, maxWidth: 800, everyNthFrame: 1 },
    },
    { id: 3, method: 'Page.screencastFrameAck', params: { sessionId: 7 } },
    { id: 4, method: 'Page.captureScreenshot', params: { format: 'png' } },
  ],
  [
    {
      id: 1,
      method: 'Input.dispatchMouseEvent',
      params: { type: 'mousePressed', x: 1, y: 2, button: 'left', clickCount: 1 },
    },
    {
      id: 2,
      method: 'Input.dispatchKeyEvent',
      params: { type: 'keyDown', key: 'a', text: 'a', windowsVirtualKeyCode: 65, commands: ['selectAll'] },
    },
    { id: 3, method: 'Input.insertText', params: { text: 'grüß dich' } },
    {
      id: 4,
      method: 'Input.dispatchTouchEvent',
      params: { type: 'touchStart', touchPoints: [{ x: 1, y: 1, id: 0 }] },
    },
    { id: 5, method: 'Input.imeSetComposition', params: { text: 'に', selectionStart: 0, selectionEnd: 1 } },
  ],
  [
    {
      id: 1,
      method: 'Emulation.setDeviceMetricsOverride',
      params: { width: 800, height: 600, deviceScaleFactor: 1, mobile: false },
    },
    {
      id: 2,
      method: 'Emulation.setEmulatedMedia',
      params: { features: [{ name: 'prefers-color-scheme', value: 'dark' }] },
    },
    { id: 3, method: 'Emulation.setLocaleOverride', params: { locale: 'de-DE' } },
    { id: 4, method: 'Emulation.setTimezoneOverride', params: { timezoneId: 'Europe/Berlin' } },
  ],
  [
    { id: 1, method: 'Target.createTarget', params: { url: 'about:blank' } },
    { id: 2, method: 'Target.activateTarget', params: { targetId: SESSION } },
    { id: 3, method: 'Target.closeTarget', params: { targetId: SESSION } },
    { id: 4, method: 'LiveView.select', params: { id: 1, index: 0 } },
    { id: 5, method: 'LiveView.paste', params: { text: 'x' } },
  ],
].map((batch) => JSON.stringify(batch));
// No batch has this id.
const LAST = 2 ** 31 - 1;
/** Methods that a viewer must never reach. */
const FORBIDDEN = [
  'Browser.close',
  'Browser.setDownloadBehavior',
  'DOM.setFileInputFiles',
  'Fetch.enable',
  'IO.read',
  'Network.getAllCookies',
  'Page.addScriptToEvaluateOnNewDocument',
  'Runtime.evaluate',
  'Storage.getCookies',
  'Target.exposeDevToolsProtocol',
  'constructor',
  '__proto__',
];

function mutate(chance: Chance): string {
  const batch = chance.pick(BATCHES);
  const put = () => batch.replace(/"method":"[^"]*"/, `"method":${JSON.stringify(chance.pick(FORBIDDEN))}`);
  return chance.pick([mutateJson, mutateJson, mutateText, put])(batch, chance);
}

describe('mutated batches of commands', () => {
  it('are judged command by command, and what passes would pass again as it is', async () => {
    await fuzz(20_000, async (chance) => {
      const batch = readBatch(mutate(chance));
      if (!batch.ok) return expect(batch.message).toContain('A body is one command');
      for (const item of batch.items) {
        if (item.kind === 'refused') continue;
        const { id, method, params } = item.command;
        expect(FORBIDDEN).not.toContain(method);
        expect(Number.isInteger(id) && id >= 0).toBe(true);
        expect(judge(method, params)).toEqual({ ok: true, params });
        if (typeof params['url'] === 'string') expect(params['url']).toMatch(/^\s*(about:blank$|https?:)/i);
      }
    });
  });
});

describeInChromium('mutated batches of commands, sent to a browser', () => {
  let gateway: LiveGateway;
  let viewer: Viewer;
  let stream: Stream;

  beforeAll(async () => {
    gateway = await openLiveGateway();
    viewer = createViewer(gateway, await gateway.app.user());
    stream = await viewer.open();
    await viewer.ask(stream, 'Browser.getVersion');
  });
  afterAll(async () => {
    expect(gateway.app.lines.filter(({ level }) => level === 'error')).toEqual([]);
    await gateway.close();
  });

  it('leave it running, and the channel open', async () => {
    await fuzz(500, async (chance) => {
      const body = mutate(chance);
      const response = await viewer.post('commands', body);
      const answer = await response.text();
      if (![202, 400, 413].includes(response.status))
        throw new Error(`${response.status} ${answer} for ${body}`);
    });
    // The same browser still answers, and nobody had to attach again.
    await viewer.post('commands', { id: LAST, method: 'Target.getTargets' });
    const { result } = await stream.wait(({ id }) => id === LAST);
    expect(result.targetInfos.length).toBeGreaterThan(0);
    expect(stream.said.filter(({ method }) => method === 'Runtime.bindingCalled')).toEqual([]);
  });
});
