// Measures the live view's frames per second and its delay from click to pixel, compared with Chromium's own
// WebSocket.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHttpServer } from '../support/http-server.ts';
import type { Row } from './main.ts';
import { median } from './median.ts';
import { startGateway } from './servers.ts';

const ROUNDS = 3;
const ROUND_MS = 5_000;
const CLICKS = 20;
// The value of a frame that never comes, and how long to wait for it.
const PATIENCE_MS = 3_000;
const CHROMIUM = [process.env['CHROMIUM_PATH'] ?? '', '/usr/bin/chromium'].find(
  (path) => path !== '' && existsSync(path),
);

const PAGE = `<!doctype html><body style="margin:0;background:linear-gradient(45deg,#123,#fa0,#2cf);height:100vh">
<div id="box" style="position:absolute;width:300px;height:300px;background:#a3420d"></div><script>
const moving = location.hash === '#moving';
const move = (t) => { box.style.transform = 'translate(' + (t / 3 % 900) + 'px,' + (t / 7 % 400) + 'px)'; requestAnimationFrame(move); };
if (moving) requestAnimationFrame(move);
else addEventListener('mousedown', () => { box.style.background = box.style.background === 'lime' ? 'red' : 'lime'; });
</script>`;
const SCREENCAST = {
  format: 'jpeg',
  quality: 60,
  maxWidth: 1280,
  maxHeight: 800,
  maxFramesInFlight: 3,
  sendLastFrame: true,
};

/** A connection to one page of a browser. */
interface Link {
  command(method: string, params?: object): void;
  /** Called for each frame after its acknowledgement. */
  onFrame: () => void;
  close(): Promise<void>;
}

interface Message {
  method?: string;
  params?: { sessionId: number };
}

function take(link: Link, text: string): void {
  const message = JSON.parse(text) as Message;
  if (message.method !== 'Page.screencastFrame' || message.params === undefined) return;
  link.command('Page.screencastFrameAck', { sessionId: message.params.sessionId });
  link.onFrame();
}

async function linkByStream(base: string, apiKey: string): Promise<Link> {
  const bridge = `${base}/api/browser-session/cdp`;
  const headers: Record<string, string> = {
    'x-service-api-key': apiKey,
    origin: base,
    'content-type': 'application/json',
  };
  const attached = await fetch(`${bridge}/attach`, { method: 'POST', headers });
  headers['x-browser-session'] = ((await attached.json()) as { sessionKey: string }).sessionKey;
  const stop = new AbortController();
  const response = await fetch(`${bridge}/events`, { headers, signal: stop.signal });
  const queue: object[] = [];
  let sending = false;
  let id = 0;

  // Sends one request at a time. Commands that arrive meanwhile go with the next request.
  async function flush(): Promise<void> {
    if (sending) return;
    sending = true;
    while (queue.length > 0) {
      const body = JSON.stringify(queue.splice(0, 64));
      const answer = await fetch(`${bridge}/commands`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
    }
    sending = false;
  }

  const link: Link = {
    command(method, params = {}) {
      queue.push({ id: ++id, method, params });
      void flush();
    },
    onFrame: () => {},
    async close() {
      stop.abort();
      await fetch(`${bridge}/detach`, { method: 'POST', headers });
    },
  };
  async function read(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) if (block.startsWith('event: cdp\ndata: ')) take(link, block.slice(17));
    }
  }
  void read().catch(() => {});
  return link;
}

async function startDirect(): Promise<{ link(): Promise<Link>; stop(): Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'live-bench-'));
  const flags = [
    '--headless',
    '--disable-gpu',
    '--mute-audio',
    '--no-first-run',
    '--disable-quic',
    '--disable-dev-shm-usage',
    '--force-device-scale-factor=2',
    '--window-size=1280,800',
    '--no-sandbox',
  ];
  const child: ChildProcess = spawn(
    CHROMIUM ?? '',
    [...flags, '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!said.includes('DevTools listening')) await once(child.stderr ?? child, 'data');
  const [, port = ''] = /ws:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? [];
  return {
    async link() {
      const pages = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
        type: string;
        webSocketDebuggerUrl: string;
      }[];
      const socket = new WebSocket(pages.find(({ type }) => type === 'page')?.webSocketDebuggerUrl ?? '');
      await once(socket, 'open');
      let id = 0;
      const link: Link = {
        command: (method, params = {}) => socket.send(JSON.stringify({ id: ++id, method, params })),
        onFrame: () => {},
        close: async () => socket.close(),
      };
      socket.addEventListener('message', ({ data }) => take(link, String(data)));
      return link;
    },
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const sleep = (milliseconds: number) => new Promise((resolve) => void setTimeout(resolve, milliseconds));

async function show(link: Link, url: string): Promise<void> {
  const first = new Promise<void>((resolve) => (link.onFrame = resolve));
  link.command('Page.enable');
  link.command('Page.navigate', { url });
  await sleep(1_500);
  link.command('Page.startScreencast', SCREENCAST);
  await Promise.race([first, sleep(PATIENCE_MS)]);
  await sleep(500);
}

async function framesASecond(link: Link, url: string): Promise<number> {
  await show(link, url);
  let frames = 0;
  link.onFrame = () => void frames++;
  await sleep(ROUND_MS);
  link.command('Page.stopScreencast');
  return frames / (ROUND_MS / 1_000);
}

async function clickToPixel(link: Link, url: string): Promise<number> {
  await show(link, url);
  const times: number[] = [];
  for (let click = 0; click < CLICKS; click++) {
    const began = performance.now();
    const frame = new Promise<void>((resolve) => (link.onFrame = resolve));
    const place = { x: 900, y: 600, button: 'left', clickCount: 1 };
    link.command('Input.dispatchMouseEvent', { type: 'mousePressed', ...place });
    link.command('Input.dispatchMouseEvent', { type: 'mouseReleased', ...place });
    await Promise.race([frame, sleep(PATIENCE_MS)]);
    times.push(performance.now() - began);
    link.onFrame = () => {};
    await sleep(100);
  }
  link.command('Page.stopScreencast');
  return median(times);
}

export async function liveViewRows(): Promise<Row[]> {
  if (CHROMIUM === undefined) throw new Error('the live view is measured with Chromium: CHROMIUM_PATH');
  const site = await startHttpServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end(PAGE),
  );
  const page = `http://127.0.0.1:${site.port}/`;
  // The gateway runs unpinned, because its browser would share its core.
  const gateway = await startGateway(undefined, {}, null);
  const direct = await startDirect();
  const stream: { frames: number[]; clicks: number[] } = { frames: [], clicks: [] };
  const socket: typeof stream = { frames: [], clicks: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [into, open] of [
      [socket, () => direct.link()],
      [stream, () => linkByStream(gateway.url, gateway.apiKey)],
    ] as const) {
      const link = await open();
      into.frames.push(await framesASecond(link, `${page}?${round}#moving`));
      into.clicks.push(await clickToPixel(link, `${page}?click${round}`));
      // A page that still moves would slow down the other side.
      link.command('Page.navigate', { url: 'about:blank' });
      await sleep(500);
      await link.close();
    }
  }
  await direct.stop();
  await gateway.stop();
  await site.close();
  const frames = median(stream.frames) / median(socket.frames);
  const clicks = median(stream.clicks) / median(socket.clicks);
  return [
    {
      work: 'live view, frames',
      measured: `${median(stream.frames).toFixed(1)}/s, ${frames.toFixed(2)} × a direct WebSocket`,
      bar: '≥ 0.85 ×',
      holds: frames >= 0.85,
    },
    {
      work: 'live view, click to pixel',
      measured: `${median(stream.clicks).toFixed(1)} ms, ${clicks.toFixed(2)} × a direct WebSocket`,
      bar: '≤ 1.15 ×',
      holds: clicks <= 1.15,
    },
  ];
}
