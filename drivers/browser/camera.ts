// The camera port on Chromium: a browser for each picture, in a profile that is deleted afterwards. The browser reaches no
// network at all; what its page asks for is answered over the debugging pipe. decision: 050
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Camera, PageToShow } from '../../src/ports/camera.ts';
import { BrowserStartFailed } from '../../src/ports/browser.ts';
import { type CdpConnection, createCdpConnection, type Send } from './connection.ts';
import { findChromium, userAgentOf } from './find-chromium.ts';
import { launchChromium, type Process, startFailed } from './launch.ts';
import { prepareProfile, wipeProfile } from './profile.ts';

export interface CameraOptions {
  /** The path of Chromium, if the operator has set one. */
  path?: string | undefined;
  /** Off only where the system cannot sandbox Chromium. */
  sandbox: boolean;
  /** The environment variables that the browser may see. */
  environment: Record<string, string>;
  /** Bounds everything from the start of the browser to the picture. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
const LOAD_MS = 10_000;
/** What scripts draw after the page has loaded. */
const SETTLE_MS = 700;
const WIDTH = 1280;
const HEIGHT = 800;
const SCALE = 0.5;
const QUALITY = 75;

interface Paused {
  requestId: string;
  request: { url: string; method: string };
}

export function createChromiumCamera(options: CameraOptions): Camera {
  const { path, sandbox, environment, timeoutMs = TIMEOUT_MS } = options;
  const running = new Set<Process>();
  const pictures = new Set<Promise<unknown>>();
  let isClosing = false;
  let userAgent: Promise<string> | null = null;

  async function launch(profile: string): Promise<{ process: Process; connection: CdpConnection }> {
    const found = findChromium(path);
    userAgent ??= userAgentOf(found);
    userAgent.catch(() => (userAgent = null));
    const settings = { path: found, profile, userAgent: await userAgent, proxy: null, sandbox, environment };
    await prepareProfile(profile);
    if (isClosing) throw new BrowserStartFailed('The gateway is stopping.');
    const connection: CdpConnection = createCdpConnection(() => process.pipe);
    const process = launchChromium({ ...settings, onMessage: (message) => connection.receive(message) });
    running.add(process);
    void process.exited.then(() => {
      running.delete(process);
      connection.end('the browser has ended');
    });
    await connection
      .to()('Browser.getVersion')
      .catch(() => {
        throw startFailed(found, process.lastWords());
      });
    return { process, connection };
  }

  async function photograph(page: PageToShow): Promise<Uint8Array<ArrayBuffer>> {
    const profile = await mkdtemp(join(tmpdir(), 'gateway-picture-'));
    let launched: Process | undefined;
    try {
      const { process, connection } = await launch(profile);
      launched = process;
      const late = setTimeout(() => process.kill(), timeoutMs);
      try {
        return await takePicture(connection, page);
      } finally {
        clearTimeout(late);
      }
    } finally {
      launched?.kill();
      await launched?.exited;
      await wipeProfile(profile);
    }
  }

  return {
    async photograph(page) {
      const picture = photograph(page);
      pictures.add(picture);
      try {
        return await picture;
      } finally {
        pictures.delete(picture);
      }
    },
    async close() {
      isClosing = true;
      for (const process of running) process.kill();
      // A picture ends when its profile has been deleted.
      await Promise.allSettled(pictures);
    },
  };
}

async function takePicture(connection: CdpConnection, page: PageToShow): Promise<Uint8Array<ArrayBuffer>> {
  const browser = connection.to();
  await browser('Browser.setDownloadBehavior', { behavior: 'deny' });
  const { targetInfos } = await browser('Target.getTargets');
  const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId;
  if (targetId === undefined) throw new Error('[chromium] the browser has no page');
  const { sessionId } = await browser('Target.attachToTarget', { targetId, flatten: true });
  const send = connection.to(sessionId);
  const loaded = Promise.withResolvers<void>();
  connection.listen(sessionId, (method, params) => {
    // Chromium sends what its protocol documents for each event.
    if (method === 'Fetch.requestPaused') void answer(send, params as Paused, page).catch(() => {});
    if (method === 'Page.loadEventFired') loaded.resolve();
    if (method === 'Page.javascriptDialogOpening')
      void send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {});
  });
  await send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  await send('Page.enable');
  await send('Emulation.setDeviceMetricsOverride', {
    width: WIDTH,
    height: HEIGHT,
    deviceScaleFactor: 1,
    mobile: false,
  });
  const { errorText } = await send('Page.navigate', { url: page.url });
  if (errorText !== undefined) throw new Error(`[chromium] the page did not load: ${errorText}`);
  // A page may load for ever. The picture then shows what is there.
  await Promise.race([loaded.promise, wait(LOAD_MS)]);
  await wait(SETTLE_MS);
  const { data } = await send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    clip: { x: 0, y: 0, width: WIDTH, height: HEIGHT, scale: SCALE },
  });
  return new Uint8Array(Buffer.from(data, 'base64'));
}

async function answer(send: Send, { requestId, request }: Paused, page: PageToShow): Promise<void> {
  const response = request.method === 'GET' ? await page.answer(request.url).catch(() => null) : null;
  // An aborted navigation leaves the page as it is.
  if (response === null) return void (await send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }));
  const body = Buffer.from(await response.arrayBuffer()).toString('base64');
  const responseHeaders = [...response.headers].map(([name, value]) => ({ name, value }));
  await send('Fetch.fulfillRequest', { requestId, responseCode: response.status, responseHeaders, body });
}

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds));
