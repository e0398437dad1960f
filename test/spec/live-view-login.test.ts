// Tests signing in over the wire: what a viewer sends, what the site sees, and what the stream reports.
// docs/live-view.md
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describePersonInChromium } from '../support/chromium.ts';
import {
  createViewer,
  type LiveGateway,
  openLiveGateway,
  type Stream,
  type Viewer,
} from '../support/live-viewer.ts';
import {
  type LoginSite,
  SITE_CODE,
  SITE_PASSWORD,
  SITE_USER,
  startLoginSite,
} from '../support/login-site.ts';
import { boxAt, middleOf } from '../support/login-site-pages.ts';

describePersonInChromium('the live view, by wire', () => {
  let site: LoginSite;
  let gateway: LiveGateway;
  let viewer: Viewer;
  let stream: Stream;

  const ask = (method: string, params?: object, sessionId?: string) =>
    viewer.ask(stream, method, params, sessionId);
  const click = (row: number) => viewer.click(stream, middleOf(row));
  const type = (text: string) => ask('Input.insertText', { text });

  /**
   * Resolves when the page has loaded. A session that is new to the page may not hear that from the page
   * itself.
   */
  async function visit(path: string): Promise<void> {
    const url = path.startsWith('http') ? path : `${site.url}${path}`;
    const { frameId, loaderId } = (await ask('Page.navigate', { url })).result;
    const begun = await stream.wait(
      ({ method, params }) => method === 'Page.frameStartedNavigating' && params.loaderId === loaderId,
      `the way to ${path}`,
    );
    await stream.wait(
      (said) =>
        said.method === 'Page.frameStoppedLoading' &&
        said.params.frameId === frameId &&
        stream.said.indexOf(said) > stream.said.indexOf(begun),
      `the load of ${path}`,
    );
  }
  const next = (method: string, passes: (params: Record<string, unknown>) => boolean = () => true) => {
    const seen = stream.said.length;
    return stream.wait(
      (said) => stream.said.indexOf(said) >= seen && said.method === method && passes(said.params),
      method,
    );
  };

  beforeAll(async () => {
    site = await startLoginSite();
    gateway = await openLiveGateway();
    viewer = createViewer(gateway, await gateway.app.user());
    stream = await viewer.open();
  });
  afterAll(async () => {
    await gateway?.close();
    await site?.close();
  });
  // Each retry uses another person with another browser, so that a hanging page breaks no later test.
  beforeEach(async ({ task }) => {
    if ((task.result?.retryCount ?? 0) === 0) return;
    viewer = createViewer(gateway, await gateway.app.user(`${crypto.randomUUID()}@example.com`));
    stream = await viewer.open();
  });

  it('lists the pages once the first command has started the browser', async () => {
    expect((await ask('Target.getTargets')).result.targetInfos).toMatchObject([
      { type: 'page', url: 'about:blank' },
    ]);
    const methods = stream.said.map(({ method }) => method);
    expect(methods.slice(0, 3)).toEqual([
      'Target.targetCreated',
      'Target.attachedToTarget',
      'LiveView.active',
    ]);
  });

  it('signs in with a form and a pasted code', async () => {
    await visit('/login');
    const focused = next('LiveView.focus');
    await click(0);
    expect((await focused).params.field).toMatchObject({
      autocomplete: 'username',
      label: 'User name',
      type: 'text',
      rect: { x: 20, y: 20, width: 240, height: 40 },
    });
    await type(SITE_USER);
    const password = next('LiveView.focus');
    await click(1);
    expect((await password).params.field).toMatchObject({
      type: 'password',
      autocomplete: 'current-password',
    });
    await type(SITE_PASSWORD);
    // The page continues by itself; asking for the next one as well would be a race.
    const arrived = next('Page.loadEventFired');
    await click(3);
    await site.reported(JSON.stringify({ username: SITE_USER, password: SITE_PASSWORD, language: 'en' }));
    await arrived;
    await viewer.click(stream, boxAt(0));
    await ask('LiveView.paste', { text: SITE_CODE });
    await site.reported(JSON.stringify({ code: SITE_CODE }));
  });

  it('types what a keyboard, a dead key and an input method produce', async () => {
    await visit('/text');
    await click(0);
    const letter = { key: 'a', code: 'KeyA', windowsVirtualKeyCode: 65 };
    await ask('Input.dispatchKeyEvent', { type: 'keyDown', text: 'a', ...letter });
    await ask('Input.dispatchKeyEvent', { type: 'keyUp', ...letter });
    await type('é');
    await ask('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await ask('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
    await type('日本');
    await site.reported('composed 日本');
    await click(2);
    await site.reported('text aé日本');
  });

  it('copies the selection, cuts it, and pastes over it', async () => {
    await visit('/text');
    await click(0);
    await type('some text');
    const command = (name: string) =>
      ask('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'x', commands: [name] });
    await command('selectAll');
    const copied = next('LiveView.copied');
    await command('copy');
    expect((await copied).params.text).toBe('some text');
    const cut = next('LiveView.copied');
    await command('cut');
    expect((await cut).params.text).toBe('some text');
    await ask('LiveView.paste', { text: 'pasted ✓' });
    await click(2);
    await site.reported('text pasted ✓');
  });

  it('shows a native select as a list, by mouse and by key', async () => {
    await visit('/select');
    const opened = next('LiveView.select');
    await click(0);
    const { params } = await opened;
    expect(params).toMatchObject({
      label: 'Fruit',
      rect: { x: 20, y: 20, width: 240, height: 40 },
      options: [
        { label: '–', selected: true },
        { label: 'Apple', disabled: false, group: '' },
        { label: 'Pear' },
      ],
    });
    expect((await ask('LiveView.select', { id: params.id, index: 9 })).result).toEqual({ chosen: false });
    expect((await ask('LiveView.select', { id: params.id, index: 2 })).result).toEqual({ chosen: true });
    await site.reported('chose pear');
    const again = next('LiveView.select');
    await ask('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: ' ',
      code: 'Space',
      windowsVirtualKeyCode: 32,
    });
    expect((await again).params.options[2]).toMatchObject({ selected: true });
    expect((await ask('LiveView.select', { id: params.id, index: 1 })).result).toEqual({ chosen: false });
  });

  it('reaches fields in a frame of another site, and reports their position', async () => {
    await visit('/frame');
    const focused = next('LiveView.focus', ({ field }) => field !== null);
    const inFrame = (row: number) => ({ x: 300 + middleOf(row).x, y: 100 + middleOf(row).y });
    // The frame may load after the page.
    await expect
      .poll(async () => {
        await viewer.click(stream, inFrame(0));
        return Promise.race([focused, new Promise((resolve) => setImmediate(resolve, null))]);
      })
      .not.toBeNull();
    expect((await focused).params.field).toMatchObject({
      label: 'User name',
      rect: { x: 320, y: 120, width: 240, height: 40 },
    });
    await type('framed');
    const opened = next('LiveView.select');
    await viewer.click(stream, inFrame(2));
    const { params } = await opened;
    expect(params).toMatchObject({
      rect: { x: 320, y: 240 },
      options: [{}, {}, { disabled: true }, { group: 'Asia' }],
    });
    await ask('LiveView.select', { id: params.id, index: 3 });
    await viewer.click(stream, inFrame(3));
    await site.reported(JSON.stringify({ username: 'framed', password: '', language: 'ja' }));
  });

  it('follows a sign-in popup, and returns to the page behind it', async () => {
    await visit('/sso');
    const page = stream.said.findLast(({ method }) => method === 'LiveView.active')?.params;
    const popup = next('LiveView.active');
    const ready = next(
      'Target.targetInfoChanged',
      ({ targetInfo }) => (targetInfo as { title: string }).title === 'Allow?',
    );
    await click(0);
    expect((await popup).params.targetId).not.toBe(page.targetId);
    await ready;
    const back = next('LiveView.active');
    await click(0);
    expect((await back).params).toEqual(page);
    await expect.poll(() => site.hits.at(-1)).toBe('/account');
  });

  it('shows a new tab, and the tab behind it once it is closed', async () => {
    await visit('/tab');
    const opened = next('LiveView.active');
    await click(0);
    const { targetId } = (await opened).params;
    const { targetInfos } = (await ask('Target.getTargets')).result;
    expect(targetInfos).toHaveLength(2);
    const first = targetInfos.find((info: { targetId: string }) => info.targetId !== targetId).targetId;
    await ask('Target.activateTarget', { targetId: first });
    await ask('Target.activateTarget', { targetId });
    const closed = next('Target.targetDestroyed');
    await ask('Target.closeTarget', { targetId });
    expect((await closed).params).toEqual({ targetId });
    expect(stream.said.findLast(({ method }) => method === 'LiveView.active')?.params.targetId).toBe(first);
    expect((await ask('Target.closeTarget', { targetId })).error?.message).toMatch(/No target/);
  });

  it('keeps a page in front that was activated after another one opened', async () => {
    const [{ targetId }] = (await ask('Target.getTargets')).result.targetInfos;
    for (let round = 0; round < 5; round++) {
      const made = (await ask('Target.createTarget', { url: 'about:blank' })).result;
      const activated = await ask('Target.activateTarget', { targetId });
      const closed = next('Target.targetDestroyed', ({ targetId: gone }) => gone === made.targetId);
      await ask('Target.closeTarget', made);
      await closed;
      const last = stream.said.findLastIndex(({ method }) => method === 'LiveView.active');
      expect(stream.said[last]?.params.targetId).toBe(targetId);
      expect(last).toBeLessThan(stream.said.indexOf(activated));
    }
  });

  it('always keeps at least one page open', async () => {
    const { targetInfos } = (await ask('Target.getTargets')).result;
    const known = new Set(targetInfos.map((info: { targetId: string }) => info.targetId));
    const another = next('LiveView.active', ({ targetId }) => !known.has(targetId));
    for (const targetId of known) await ask('Target.closeTarget', { targetId });
    await another;
  });

  it.each([
    ['alert', 0, {}, 'alert undefined'],
    ['confirm', 1, {}, 'confirm true'],
    ['prompt', 2, { promptText: 'typed' }, 'prompt typed'],
  ])('answers a %s dialog', async (kind, row, more, reported) => {
    await visit('/dialogs');
    const opening = next('Page.javascriptDialogOpening');
    // Chromium answers this command only when the dialog is closed.
    const clicking = click(row);
    expect((await opening).params).toMatchObject({ type: kind, message: `Really ${kind}?` });
    await ask('Page.handleJavaScriptDialog', { accept: true, ...more });
    await clicking;
    await site.reported(reported);
  });

  it('tells a new stream about an open dialog', async () => {
    await visit('/dialogs');
    const opening = next('Page.javascriptDialogOpening');
    const clicking = click(1).catch(() => {});
    await opening;
    const newer = await viewer.listen();
    await newer.wait(({ method }) => method === 'Page.javascriptDialogOpening', 'the dialog');
    stream = newer;
    await clicking;
    await ask('Page.handleJavaScriptDialog', { accept: false });
    await site.reported('confirm false');
  });

  it('refuses downloads and uploads, and reports that', async () => {
    await visit('/download');
    const download = next('LiveView.download');
    await click(0);
    expect((await download).params).toEqual({ url: `${site.url}/file.zip`, name: 'file.zip' });
    await visit('/upload');
    const upload = next('LiveView.upload');
    await click(0);
    expect((await upload).params).toMatchObject({ multiple: false, sessionId: expect.any(String) });
    const refused = await ask('DOM.setFileInputFiles', { files: ['/etc/passwd'], nodeId: 1 });
    expect(refused.error?.message).toBe('Not allowed: DOM.setFileInputFiles');
    expect(site.reports.filter((report) => report.startsWith('file'))).toEqual([]);
  });

  it('emulates a phone on request', async () => {
    await ask('Emulation.setDeviceMetricsOverride', {
      width: 390,
      height: 844,
      deviceScaleFactor: 2,
      mobile: true,
    });
    await ask('Emulation.setTouchEmulationEnabled', { enabled: true });
    await visit('/touch');
    await ask('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [middleOf(0)] });
    await ask('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await site.reported('pointer touch 390');
    await ask('Emulation.clearDeviceMetricsOverride');
    await ask('Emulation.setTouchEmulationEnabled', { enabled: false });
  });

  it('sends no more frames than the viewer acknowledges', async () => {
    await visit('/text');
    await ask('Page.startScreencast', {
      format: 'jpeg',
      quality: 60,
      maxWidth: 1280,
      maxHeight: 800,
      maxFramesInFlight: 2,
    });
    const frame = await stream.wait(({ method }) => method === 'Page.screencastFrame', 'a frame');
    expect(Buffer.from(frame.params.data, 'base64').subarray(0, 3).toString('hex')).toBe('ffd8ff');
    const later = next('Page.screencastFrame');
    await ask('Page.screencastFrameAck', { sessionId: frame.params.sessionId });
    await click(0);
    await type('moves');
    await later;
    await ask('Page.stopScreencast');
  });

  it('reports the cursor under the mouse', async () => {
    await visit('/');
    const pointer = next('LiveView.cursor');
    await ask('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 25, y: 35 });
    expect((await pointer).params.cursor).toBe('pointer');
  });

  // One event that gets through is one too many, so the test repeats.
  it('ignores events that the page itself creates', { retry: 0 }, async () => {
    await visit('/text');
    const seen = stream.said.length;
    // The page dispatches events from a script, and calls the binding by its name in its own world.
    await ask('Page.navigate', { url: `${site.url}/forged` });
    await site.reported('forged undefined undefined');
    // Reports arrive in order, so all of them are here before the person's own click. The first select
    // reported is the person's.
    const opened = next('LiveView.select');
    await click(0);
    const { id } = (await opened).params;
    expect((await ask('LiveView.select', { id, index: 0 })).result).toEqual({ chosen: true });
    const told = stream.said
      .slice(seen)
      .filter(({ method }) => method === 'LiveView.copied' || method === 'LiveView.select');
    expect(told).toMatchObject([{ method: 'LiveView.select', params: { id } }]);
  });
});
