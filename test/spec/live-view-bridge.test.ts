// Tests the four requests of the live view bridge. reference: Live view
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Channels, createChannels } from '../../src/live-view/channels.ts';
import { type BrowserChannel, type BrowserSession, FIRST_PROFILE } from '../../src/ports/browser.ts';
import { describeInChromium } from '../support/chromium.ts';
import { createViewer, type LiveGateway, openLiveGateway, type Viewer } from '../support/live-viewer.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import type { TestUser } from '../support/test-app.ts';

const PREFIXES = ['/api/browser-session/cdp', '/api/auth/cookie/mediawiki/cdp'];
const json = async (response: Response) => ({ status: response.status, body: await response.json() });

describe.each(PREFIXES)('%s, before a browser runs', (prefix) => {
  const clock = createManualClock();
  let gateway: LiveGateway;
  let ana: TestUser;
  let viewer: Viewer;
  const status = () => gateway.app.deps.browser?.status(ana.id);

  beforeEach(async () => {
    // The portal is on another origin and below a path: only its origin counts.
    gateway = await openLiveGateway({
      ports: { clock },
      env: { PORTAL_URL: 'https://portal.example.com/app' },
    });
    ana = await gateway.app.user();
    viewer = createViewer(gateway, ana, prefix);
  });
  afterEach(() => gateway.close());

  it('answers attach with 201 and a stable key, and starts nothing', async () => {
    const first = await json(await viewer.post('attach'));
    expect(first).toEqual({
      status: 201,
      body: {
        sessionKey: expect.any(String),
        header: 'X-Browser-Session',
        keepAliveMs: 15_000,
        maxBatch: 64,
      },
    });
    expect(await json(await viewer.post('attach'))).toEqual(first);
    const bea = createViewer(gateway, await gateway.app.user('bea@example.com'), prefix);
    expect((await json(await bea.post('attach'))).body.sessionKey).not.toBe(first.body.sessionKey);
    expect(status()).toBe('off');
  });

  it.each(['attach', 'commands', 'detach'] as const)(
    'answers %s with 401 to a bad bearer, before all other checks',
    async (path) => {
      for (const authorization of [undefined, 'Bearer nonsense'])
        expect(
          await json(await viewer.post(path, {}, { authorization, origin: 'https://evil.example' })),
        ).toEqual({
          status: 401,
          body: { error: 'Unauthorized' },
        });
    },
  );

  it.each(['attach', 'commands', 'detach'] as const)(
    'answers %s with 403 to another origin, and to a missing one',
    async (path) => {
      await viewer.attach();
      const strange = [
        'https://evil.example',
        'null',
        'http://localhost:1',
        'https://portal.example.com.evil.example',
        undefined,
      ];
      for (const origin of strange) expect((await viewer.post(path, {}, { origin })).status).toBe(403);
      expect((await viewer.post('attach', undefined, { origin: 'https://portal.example.com' })).status).toBe(
        201,
      );
    },
  );

  it('accepts events without an origin, and refuses a wrong one', async () => {
    await viewer.attach();
    expect((await viewer.listen({ origin: 'https://evil.example' })).status).toBe(403);
    const stream = await viewer.listen({ origin: undefined });
    expect(stream.status).toBe(200);
    expect((await viewer.listen({ authorization: 'Bearer nonsense' })).status).toBe(401);
  });

  it.each([
    ['no key', undefined],
    ['an empty key', ''],
    ['a wrong key', 'x'.repeat(43)],
  ])('answers 400 BAD_SESSION_KEY to %s, and starts nothing', async (_, key) => {
    await viewer.attach();
    const wrong = { 'x-browser-session': key };
    for (const path of ['commands', 'detach'] as const)
      expect(await json(await viewer.post(path, [], wrong))).toMatchObject({
        status: 400,
        body: { error: 'BAD_SESSION_KEY' },
      });
    expect((await viewer.listen(wrong)).status).toBe(400);
    expect(status()).toBe('off');
  });

  it("answers 400 to another person's key with one's own bearer, and touches neither channel", async () => {
    await viewer.attach();
    const stream = await viewer.listen();
    const bea = await gateway.app.user('bea@example.com');
    const thief = createViewer(gateway, bea, prefix);
    await thief.attach();
    const stolen = { 'x-browser-session': viewer.key };
    for (const path of ['commands', 'detach'] as const)
      expect(await json(await thief.post(path, [], stolen))).toMatchObject({
        status: 400,
        body: { error: 'BAD_SESSION_KEY' },
      });
    expect((await thief.listen(stolen)).status).toBe(400);
    expect(gateway.app.deps.browser?.status(bea.id)).toBe('off');
    expect(status()).toBe('off');
    expect(stream.events).toEqual(['ready']);
  });

  it('answers 400 to events and commands without an attach', async () => {
    await viewer.attach();
    expect((await viewer.post('detach')).status).toBe(204);
    expect((await viewer.listen()).status).toBe(400);
    expect(await json(await viewer.post('commands', []))).toMatchObject({
      status: 400,
      body: { error: 'BAD_SESSION_KEY' },
    });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no JSON', '{'],
    ['a number', 5],
    ['a command without an id', { method: 'Page.enable' }],
    ['a negative id', { id: -1, method: 'Page.enable' }],
    ['an id that is a text', { id: '1', method: 'Page.enable' }],
    ['a command without a method', { id: 1 }],
    ['parameters that are a list', { id: 1, method: 'Page.enable', params: [] }],
    ['a session that is none', { id: 1, method: 'Page.enable', sessionId: 'x' }],
    ['65 commands', Array.from({ length: 65 }, (_, id) => ({ id, method: 'Page.enable' }))],
    ['a list of lists', [[{ id: 1, method: 'Page.enable' }]]],
    ['JSON without a bottom', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('answers commands with 400 BAD_COMMANDS to %s, and starts nothing', async (_, body) => {
    await viewer.attach();
    expect(await json(await viewer.post('commands', body))).toMatchObject({
      status: 400,
      body: { error: 'BAD_COMMANDS' },
    });
    expect(status()).toBe('off');
  });

  it('refuses commands with a body of more than 4 MiB', async () => {
    await viewer.attach();
    expect((await viewer.post('commands', ' '.repeat(4 * 1024 * 1024 + 1))).status).toBe(413);
  });

  it('begins events with ready, starts nothing, and keeps the connection alive', async () => {
    const stream = await viewer.open();
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(stream.headers.get('cache-control')).toBe('no-cache, no-transform');
    await expect.poll(() => stream.events).toEqual(['ready']);
    await clock.pass(14_999);
    expect(stream.events).toEqual(['ready']);
    await clock.pass(1);
    await clock.pass(15_000);
    await expect.poll(() => stream.events).toEqual(['ready', ':', ':']);
    expect(status()).toBe('off');
  });

  it('lets a newer stream take over, and notifies the older one', async () => {
    const older = await viewer.open();
    const newer = await viewer.listen();
    expect(await older.closed).toBe('taken-over');
    await expect.poll(() => newer.events).toEqual(['ready']);
    await clock.pass(130_000);
    expect(newer.events.includes('closed')).toBe(false);
  });

  it('answers detach with 204 and closes the stream; a new attach opens the channel again', async () => {
    const stream = await viewer.open();
    const response = await viewer.post('detach');
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(await stream.closed).toBe('detached');
    expect((await viewer.open()).status).toBe(200);
  });

  it('closes the channel when its stream drops', async () => {
    const stream = await viewer.open();
    stream.drop();
    await expect
      .poll(
        async () =>
          (await viewer.post('commands', [{}])).status +
          (await json(await viewer.post('commands', 5))).body.error,
      )
      .toBe('400BAD_SESSION_KEY');
    expect((await viewer.open()).status).toBe(200);
  });

  it('closes a channel without a stream 120 s after the last attach', async () => {
    await viewer.attach();
    await clock.pass(60_000);
    await viewer.attach();
    await clock.pass(119_999);
    expect((await json(await viewer.post('commands', 5))).body.error).toBe('BAD_COMMANDS');
    await clock.pass(1);
    expect((await json(await viewer.post('commands', 5))).body.error).toBe('BAD_SESSION_KEY');
  });

  it('answers 503 BROWSER_START_FAILED with the places that were searched', async () => {
    await gateway.close();
    gateway = await openLiveGateway({ env: { CHROMIUM_PATH: '/nowhere/chromium' } });
    ana = await gateway.app.user();
    viewer = createViewer(gateway, ana, prefix);
    await viewer.attach();
    const answer = await json(await viewer.post('commands', { id: 1, method: 'Page.enable' }));
    expect(answer).toMatchObject({ status: 503, body: { error: 'BROWSER_START_FAILED' } });
    expect(answer.body.message).toContain('/nowhere/chromium');
    expect(answer.body.message).toContain('apt-get install chromium');
    // The failed start leaves nothing behind.
    expect((await viewer.post('commands', { id: 1, method: 'Page.enable' })).status).toBe(503);
  });
});

describe('a live view channel', () => {
  const done: string[] = [];
  const way: BrowserChannel = {
    send: () => void done.push('sent'),
    announce() {},
    close: () => void done.push('closed'),
  };
  const session: BrowserSession = {
    userAgent: '',
    profile: FIRST_PROFILE,
    closed: new Promise(() => {}),
    navigate: async () => {},
    cookies: async () => [],
    setCookies: async () => {},
    openChannel: async () => way,
    close: async () => {},
  };
  const idle = { ended: new AbortController().signal, until: (signal: AbortSignal) => signal, end: () => {} };
  let clock: ManualClock;
  let channels: Channels;
  beforeEach(() => {
    done.length = 0;
    clock = createManualClock();
    const onClosed = (userId: string) => void done.push(`settled ${userId}`);
    channels = createChannels({ clock, onClosed, runningWork: { begin: () => idle } });
    channels.attach('ana');
  });

  it('leaves nothing in the browser when it loses its stream, and settles once', async () => {
    const stream = channels.stream('ana');
    expect(await channels.send('ana', session, [])).toBe(true);
    await stream?.cancel();
    expect(done).toEqual(['settled ana', 'closed']);
    expect(channels.isOpen('ana')).toBe(false);
    expect(clock.asleep()).toBe(0);
  });

  it('survives a stream that another one has replaced', async () => {
    const older = channels.stream('ana');
    channels.stream('ana');
    await older?.cancel();
    expect(channels.isOpen('ana')).toBe(true);
    // Reads the newer stream until its next comment.
    expect(clock.asleep()).toBe(1);
  });

  it('sends nothing when it is closed while the browser opens, and leaves the next channel alone', async () => {
    const opened = Promise.withResolvers<BrowserChannel>();
    const ended = Promise.withResolvers<void>();
    const slow = { ...session, openChannel: () => opened.promise, closed: ended.promise };
    const command = { id: 1, method: 'Page.enable', params: {} };
    const sent = channels.send('ana', slow, [{ kind: 'command', command }]);
    channels.detach('ana');
    channels.attach('ana');
    opened.resolve(way);
    expect(await sent).toBe(false);
    ended.resolve();
    await ended.promise;
    expect(done).toEqual(['settled ana', 'closed']);
    expect(channels.isOpen('ana')).toBe(true);
    // The channel waits for a stream.
    expect(clock.asleep()).toBe(1);
  });
});

describe('the bridge of an integration', () => {
  it('exists only for integrations with a browser sign-in', async () => {
    const gateway = await openLiveGateway();
    const ana = await gateway.app.user();
    for (const name of ['time', 'github', 'nope'])
      expect((await createViewer(gateway, ana, `/api/auth/cookie/${name}/cdp`).post('attach')).status).toBe(
        404,
      );
    await gateway.close();
  });
});

describeInChromium('a channel with a browser', () => {
  let gateway: LiveGateway;
  let viewer: Viewer;
  let ana: TestUser;
  beforeAll(async () => {
    gateway = await openLiveGateway();
    ana = await gateway.app.user();
    viewer = createViewer(gateway, ana);
  });
  afterAll(() => gateway?.close());
  const enable = (id = 1) => ({ id, method: 'Page.enable' });

  it('answers 409 BROWSER_SESSION_BUSY while the first command starts it', async () => {
    const stream = await viewer.open();
    const first = viewer.post('commands', enable());
    await expect.poll(() => gateway.app.deps.browser?.status(ana.id), { interval: 1 }).toBe('starting');
    const second = await viewer.post('commands', enable(2));
    expect(second.headers.get('retry-after')).toBe('1');
    expect(await json(second)).toMatchObject({ status: 409, body: { error: 'BROWSER_SESSION_BUSY' } });
    expect(await json(await first)).toEqual({ status: 202, body: { sent: 1 } });
    expect((await stream.wait(({ id }) => id === 1)).result).toEqual({});
  });

  it('accepts one command, a list of 64, or an empty one', async () => {
    const stream = await viewer.open();
    const many = Array.from({ length: 64 }, (_, index) => ({
      id: 100 + index,
      method: 'Page.getLayoutMetrics',
    }));
    expect(await json(await viewer.post('commands', many))).toEqual({ status: 202, body: { sent: 64 } });
    await stream.wait(({ id }) => id === 163);
    const answered = stream.said.flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(answered).toEqual(many.map(({ id }) => id));
    expect(await json(await viewer.post('commands', []))).toEqual({ status: 202, body: { sent: 0 } });
  });

  it('reports refused commands on the stream, and sends the rest', async () => {
    const stream = await viewer.open();
    const batch = [
      { id: 1, method: 'Runtime.evaluate', params: { expression: '1' } },
      { id: 2, method: 'Page.navigate', params: { url: 'file:///etc/passwd' } },
      { id: 3, method: 'toString' },
      enable(4),
    ];
    expect(await json(await viewer.post('commands', batch))).toEqual({ status: 202, body: { sent: 1 } });
    await stream.wait(({ id }) => id === 4);
    expect(stream.said.filter(({ error }) => error !== undefined)).toEqual([
      { id: 1, error: { code: -32000, message: 'Not allowed: Runtime.evaluate' } },
      { id: 2, error: { code: -32602, message: 'Not allowed: Page.navigate with this url' } },
      { id: 3, error: { code: -32000, message: 'Not allowed: toString' } },
    ]);
  });

  it('answers an error for a foreign session, and for a missing page', async () => {
    const stream = await viewer.open();
    const answer = await viewer.ask(stream, 'Page.enable', {}, 'A'.repeat(32));
    expect(answer.error?.code).toBe(-32001);
    const nobody = await viewer.ask(stream, 'Target.activateTarget', { targetId: 'nobody' });
    expect(nobody.error).toEqual({ code: -32000, message: 'No target with given id found' });
  });

  it('tells a stream that takes over which pages exist', async () => {
    const older = await viewer.open();
    await viewer.ask(older, 'Page.enable');
    const newer = await viewer.listen();
    expect(await older.closed).toBe('taken-over');
    const active = await newer.wait(({ method }) => method === 'LiveView.active');
    expect((await viewer.ask(newer, 'Page.enable', {}, active.params.sessionId)).result).toEqual({});
  });

  it('closes a channel with 8 MiB of unread data', async () => {
    await viewer.attach();
    const { app, base } = gateway;
    // This stream is never read.
    const unread = await app.fetch(
      new Request(`${base}/api/browser-session/cdp/events`, { headers: viewer.headers }),
    );
    // This address makes every response long.
    const url = `http://127.0.0.1:1/#${'x'.repeat(8_000)}`;
    await viewer.post('commands', { id: 1, method: 'Page.navigate', params: { url } });
    const ask = Array.from({ length: 64 }, (_, id) => ({ id, method: 'Page.getNavigationHistory' }));
    await expect
      .poll(async () => (await viewer.post('commands', ask)).status, { timeout: 50_000, interval: 1 })
      .toBe(400);
    const text = await unread.text();
    expect(text.slice(-60)).toContain('event: closed\ndata: {"reason":"too-slow"}');
    expect(text.length).toBeLessThan(8 * 1024 * 1024 + 1_000);
    expect((await viewer.open()).status).toBe(200);
  }, 60_000);
});
