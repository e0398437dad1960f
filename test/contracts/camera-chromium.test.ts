// Tests the camera with a real Chromium: what a picture shows, and what a page cannot reach. decision: 050
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createNodeCamera } from '../../adapters/node/live-view/browser.ts';
import { createChromiumCamera } from '../../drivers/browser/camera.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Camera } from '../../src/ports/camera.ts';
import { browserProcesses } from '../support/browser-processes.ts';
import { describeInChromium, openChromium } from '../support/chromium.ts';
import { publish } from '../support/jots.ts';
import { createTestApp } from '../support/test-app.ts';

// A browser starts for each picture, and other tests run at the same time.
const TIMEOUT = 120_000;
const PROFILE = 'gateway-picture-';
const config = readConfig({}, () => '0123456789abcdef'.repeat(4));
const page = (html: string) =>
  `<!doctype html><meta charset="utf-8"><body style="margin:0;background:red">${html}`;
const GREEN_SCRIPT = `<script>document.body.style.background = 'rgb(0, 200, 0)'</script>`;

describeInChromium('The camera', () => {
  let camera: Camera;
  let eyes: Browser;
  /** No other test makes pictures here. */
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'camera-'));
    vi.stubEnv('TMPDIR', folder);
    const made = createNodeCamera(config, process.env);
    if (made === null) throw new Error('the camera is on by default');
    camera = made;
    eyes = await openChromium();
  });
  afterAll(async () => {
    await camera.close();
    await eyes.close();
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  /** Returns the size of a WebP image and the colour in its middle. */
  async function look(
    image: Uint8Array<ArrayBuffer>,
  ): Promise<{ width: number; height: number; colour: number[] }> {
    const visitor = await eyes.newPage();
    try {
      return await visitor.evaluate(async (base64) => {
        const bitmap = await createImageBitmap(
          await (await fetch(`data:image/webp;base64,${base64}`)).blob(),
        );
        const { width, height } = bitmap;
        const canvas = new OffscreenCanvas(width, height).getContext('2d');
        canvas?.drawImage(bitmap, 0, 0);
        const pixel = canvas?.getImageData(width / 2, height / 2, 1, 1).data ?? [];
        return { width, height, colour: [...pixel].slice(0, 3) };
      }, Buffer.from(image).toString('base64'));
    } finally {
      await visitor.close();
    }
  }
  const isGreen = ([red = 0, green = 0, blue = 0]: number[]) => red < 60 && green > 150 && blue < 60;
  const isRed = ([red = 0, green = 0, blue = 0]: number[]) => red > 200 && green < 60 && blue < 60;

  const answerWith =
    (html: string, policy = 'sandbox allow-scripts allow-forms') =>
    async (url: string) =>
      url === 'https://jots.example/j/page/'
        ? new Response(html, {
            headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
          })
        : null;
  const photograph = (html: string, policy?: string) =>
    camera.photograph({ url: 'https://jots.example/j/page/', answer: answerWith(html, policy) });
  const profilesLeft = async () => (await readdir(folder)).filter((name) => name.startsWith(PROFILE));

  it(
    'runs the scripts of a page as its policy says, and leaves nothing behind',
    async () => {
      const image = await look(await photograph(page(GREEN_SCRIPT)));
      expect([image.width, image.height]).toEqual([640, 400]);
      expect(isGreen(image.colour)).toBe(true);
      expect(isRed((await look(await photograph(page(GREEN_SCRIPT), 'sandbox'))).colour)).toBe(true);
      expect(await profilesLeft()).toEqual([]);
      expect(browserProcesses(join(folder, PROFILE))).toEqual([]);
    },
    TIMEOUT,
  );

  it(
    'lets no request of a page out, whatever way the page takes',
    async () => {
      let reached = 0;
      const server = createServer((_, response) => void response.end('reached'));
      server.on('connection', () => reached++);
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const there = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${port}`);
      const tries = there.map(
        (host) => `
        fetch('http://${host}/fetch', { mode: 'no-cors' }).catch(() => {});
        navigator.sendBeacon('http://${host}/beacon');
        new Image().src = 'http://${host}/image';
        try { new WebSocket('ws://${host}/socket') } catch {}
        try { new EventSource('http://${host}/events') } catch {}
        const frame${host.length} = document.createElement('iframe');
        frame${host.length}.src = 'http://${host}/frame'; document.body.append(frame${host.length});
        const worker${host.length} = new Worker(URL.createObjectURL(new Blob(["fetch('http://${host}/worker')"])));
        new RTCPeerConnection({ iceServers: [{ urls: 'stun:${host}' }] }).createDataChannel('x');`,
      );
      const links = there.map(
        (
          host,
        ) => `<link rel="preconnect" href="http://${host}"><link rel="prefetch" href="http://${host}/prefetch">
        <link rel="stylesheet" href="http://${host}/style">`,
      );
      const leave = `<script>setTimeout(() => { location.href = 'http://${there[0]}/leave' }, 200)</script>`;
      const html = page(`${links.join('')}<script>${tries.join('\n')}</script>${GREEN_SCRIPT}${leave}`);
      try {
        expect(isGreen((await look(await photograph(html))).colour)).toBe(true);
        expect(reached).toBe(0);
        // The page would reach the server with a network.
        const visitor = await eyes.newPage();
        await visitor.setContent(html).catch(() => {});
        await expect.poll(() => reached).toBeGreaterThan(0);
        await visitor.close();
      } finally {
        server.closeAllConnections();
        server.close();
      }
    },
    TIMEOUT,
  );

  it(
    'ends a page that never stops, and the next page has its turn',
    async () => {
      const hurried = createChromiumCamera({
        path: config.CHROMIUM_PATH,
        sandbox: config.CHROMIUM_SANDBOX,
        environment: { PATH: process.env['PATH'] ?? '' },
        timeoutMs: 5_000,
      });
      const answer = answerWith(page('<script>for (;;);</script>'));
      await expect(hurried.photograph({ url: 'https://jots.example/j/page/', answer })).rejects.toThrow(
        'the browser has ended',
      );
      expect(browserProcesses(join(folder, PROFILE))).toEqual([]);
      expect(await profilesLeft()).toEqual([]);
      await hurried.close();
      expect(isRed((await look(await photograph(page('')))).colour)).toBe(true);
    },
    TIMEOUT,
  );

  it(
    'leaves no profile behind when it closes during a picture',
    async () => {
      const closing = createNodeCamera(config, process.env);
      const answer = answerWith(page('<script>for (;;);</script>'));
      const picture = closing?.photograph({ url: 'https://jots.example/j/page/', answer });
      const refused = expect(picture).rejects.toThrow();
      await expect.poll(() => browserProcesses(join(folder, PROFILE)), { timeout: 30_000 }).not.toEqual([]);
      await closing?.close();
      expect(browserProcesses(join(folder, PROFILE))).toEqual([]);
      expect(await profilesLeft()).toEqual([]);
      await refused;
    },
    TIMEOUT,
  );

  it(
    'photographs a jot of several files after it was published, and counts no view',
    async () => {
      const app = await createTestApp({ ports: { camera } });
      try {
        const ana = await app.user();
        await publish(app, ana, 'green', {
          'index.html': page(
            '<link rel="stylesheet" href="style.css"><script type="module" src="a.js"></script>',
          ),
          'style.css': 'body { opacity: 0.99 }',
          'a.js':
            "const { colour } = await (await fetch('a.json')).json(); document.body.style.background = colour;",
          'a.json': '{"colour":"rgb(0, 200, 0)"}',
        });
        await app.deps.jots.thumbnails.idle();
        const headers = ana.sessionHeader;
        const { jots } = await (await app.request('/api/jots', { headers })).json();
        const response = await app.request(jots[0].thumbnail, { headers });
        expect(response.headers.get('content-type')).toBe('image/webp');
        const bytes = new Uint8Array(await response.arrayBuffer());
        expect(isGreen((await look(bytes)).colour)).toBe(true);
        await app.deps.jots.views.flush();
        expect((await app.deps.store.jots.get('green'))?.views).toBe(0);
      } finally {
        await app.close();
      }
    },
    TIMEOUT,
  );
});
