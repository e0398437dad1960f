// Tests what every driver of the browser port must do: one browser per user, started once, kept apart from
// others, and ended completely.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHttpServer, type HttpServer } from '../support/http-server.ts';
import { type Browser, type BrowserCookie, FIRST_PROFILE } from '../../src/ports/browser.ts';

const decoder = new TextDecoder();

export function browserContract(openAt: () => Promise<{ browser: Browser; close(): Promise<void> }>): void {
  let opened: Awaited<ReturnType<typeof openAt>>;
  let browser: Browser;
  let site: HttpServer;
  let url: string;
  beforeEach(async () => {
    opened = await openAt();
    browser = opened.browser;
    site = await startHttpServer((request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<title>at ${request.url}</title>`);
    });
    url = `http://127.0.0.1:${site.port}`;
  });
  afterEach(async () => {
    await opened.close();
    await site.close();
  });

  const cookie = (changes: Partial<BrowserCookie>): BrowserCookie => ({
    name: 'sid',
    value: 'v',
    domain: '127.0.0.1',
    path: '/',
    expires: -1,
    secure: false,
    httpOnly: false,
    ...changes,
  });
  const inAnHour = () => Math.floor(Date.now() / 1000) + 3_600;

  it('starts on the first open, and a second open joins the start', async () => {
    expect([browser.status('ana'), browser.current('ana')]).toEqual(['off', null]);
    const opening = [browser.open('ana', FIRST_PROFILE), browser.open('ana', FIRST_PROFILE)];
    expect([browser.status('ana'), browser.current('ana')]).toEqual(['starting', null]);
    const [one, other] = await Promise.all(opening);
    expect(one).toBe(other);
    expect([browser.status('ana'), browser.current('ana')]).toEqual(['on', one]);
    expect(one?.userAgent).toMatch(/^Mozilla\/5\.0 .*Chrome\/\d+/);
  });

  it('keeps users apart and keeps persistent cookies for the next start', async () => {
    const [ana, bea] = await Promise.all([
      browser.open('ana', FIRST_PROFILE),
      browser.open('bea', FIRST_PROFILE),
    ]);
    const given = [
      cookie({ name: 'session', httpOnly: true, sameSite: 'Lax' }),
      cookie({ name: 'host', domain: 'example.com', expires: inAnHour(), path: '/a' }),
      cookie({ name: 'wide', domain: '.example.com', expires: inAnHour(), secure: true, sameSite: 'None' }),
    ];
    await ana.setCookies(given);
    const byName = (cookies: readonly BrowserCookie[]) =>
      cookies.toSorted((a, b) => a.name.localeCompare(b.name));
    expect(byName(await ana.cookies())).toEqual(byName(given));
    expect(await bea.cookies()).toEqual([]);
    await ana.close();
    expect([browser.status('ana'), browser.status('bea')]).toEqual(['off', 'on']);
    const again = await browser.open('ana', FIRST_PROFILE);
    // Session cookies end with the session.
    expect((await again.cookies()).map(({ name }) => name).toSorted()).toEqual(['host', 'wide']);
  });

  it('sets the valid cookies and rejects with the number of the invalid ones', async () => {
    const session = await browser.open('ana', FIRST_PROFILE);
    const tooLong = cookie({ name: 'long', value: 'x'.repeat(4_096) });
    const given = [cookie({ name: 'first' }), tooLong, cookie({ name: 'last' })];
    const taken = session.setCookies(given);
    await expect(taken).rejects.toThrow('1 of 3 cookies');
    expect((await session.cookies()).map(({ name }) => name).toSorted()).toEqual(['first', 'last']);
  });

  it('navigates, and sends its events to the newest channel only', async () => {
    const session = await browser.open('ana', FIRST_PROFILE);
    const said: string[] = [];
    const found = Promise.withResolvers<void>();
    const channel = await session.openChannel((message) => {
      said.push(decoder.decode(message));
      if (said.at(-1)?.includes('"title":"at /there"') === true) found.resolve();
    });
    await session.navigate(`${url}/there`);
    await found.promise;
    channel.send({ id: 7, method: 'Target.getTargets', params: {} });
    const answer = () => said.find((text) => text.startsWith('{"id":7,'));
    await expect.poll(answer).toContain(`"url":"${url}/there"`);
    expect(said.every((text) => !text.includes('\n') && typeof JSON.parse(text) === 'object')).toBe(true);
    // The viewer never sees the responses to the driver's own commands.
    expect(said.some((text) => text.startsWith('{"id":-'))).toBe(false);

    const newer: string[] = [];
    const second = await session.openChannel((message) => newer.push(decoder.decode(message)));
    const until = said.length;
    channel.send({ id: 8, method: 'Target.getTargets', params: {} });
    second.send({ id: 9, method: 'Target.getTargets', params: {} });
    await expect.poll(() => newer.some((text) => text.startsWith('{"id":9,'))).toBe(true);
    expect(said).toHaveLength(until);

    second.close();
    const last = newer.length;
    await session.navigate(`${url}/elsewhere`);
    expect(newer).toHaveLength(last);
  });

  it('sends all events to the later of two channels that are opened at once', async () => {
    const session = await browser.open('ana', FIRST_PROFILE);
    const heard: string[] = [];
    const opening = [
      session.openChannel(() => {}),
      session.openChannel((message) => heard.push(decoder.decode(message))),
    ];
    const [older, newer] = await Promise.all(opening);
    older?.close();
    heard.length = 0;
    newer?.send({ id: 1, method: 'Target.createTarget', params: { url: 'about:blank' } });
    await expect
      .poll(() => heard.find((text) => text.startsWith('{"id":1,')), { timeout: 10_000 })
      .toBeDefined();
    expect(heard.join('\n')).toContain('"method":"Target.targetCreated"');
  });

  it('runs the workers of a page', async () => {
    const session = await browser.open('ana', FIRST_PROFILE);
    const answer = Promise.withResolvers<unknown>();
    const channel = await session.openChannel((message) => {
      const { id, result } = JSON.parse(decoder.decode(message));
      if (id === 7) answer.resolve(result?.result?.value);
    });
    const expression = `new Promise((done) => {
      new Worker(URL.createObjectURL(new Blob(['postMessage("runs")']))).onmessage = ({ data }) => done(data);
    })`;
    channel.send({ id: 7, method: 'Runtime.evaluate', params: { expression, awaitPromise: true } });
    expect(await answer.promise).toBe('runs');
  });

  it('does not wait for a site that never responds', async () => {
    site.answer(() => {});
    const session = await browser.open('ana', FIRST_PROFILE);
    await session.navigate(`${url}/never`);
    site.answer((_, response) => response.end('<title>later</title>'));
    await session.navigate(`${url}/later`);
  });

  it('never hands out a session that is closing', async () => {
    const session = await browser.open('ana', FIRST_PROFILE);
    const ended = session.close();
    const next = await browser.open('ana', FIRST_PROFILE);
    expect(next).not.toBe(session);
    expect(await next.cookies()).toEqual([]);
    await ended;
    expect(browser.current('ana')).toBe(next);

    const starting = browser.open('bea', FIRST_PROFILE);
    const resets = [browser.reset('bea'), browser.reset('bea')];
    const after = await browser.open('bea', FIRST_PROFILE);
    await Promise.all(resets);
    expect(after).not.toBe(await starting);
    expect(await after.cookies()).toEqual([]);
  });

  it('forgets all cookies on a reset', async () => {
    const session = await browser.open('ana', FIRST_PROFILE);
    await session.setCookies([cookie({ expires: inAnHour() })]);
    const [again] = await Promise.all([
      browser.reset('ana').then(() => browser.open('ana', FIRST_PROFILE)),
      session.closed,
    ]);
    expect(await again.cookies()).toEqual([]);
    await browser.reset('nobody');
  });

  it('forgets the cookies of some domains, also while it is not running', async () => {
    const domains = ['wiki.example', '.wiki.example', 'deep.wiki.example', '.example.org', 'other.example'];
    const given = domains.map((domain) => cookie({ domain, expires: inAnHour(), secure: true }));
    const left = async () =>
      (await (await browser.open('ana', FIRST_PROFILE)).cookies()).map(({ domain }) => domain).toSorted();
    const kept = ['other.example'];
    for (const isRunning of [true, false]) {
      const session = await browser.open('ana', FIRST_PROFILE);
      await session.setCookies(given);
      if (!isRunning) await session.close();
      await browser.forget('ana', ['wiki.example', 'www.example.org']);
      expect(await left()).toEqual(kept);
    }
    await browser.forget('nobody', ['wiki.example']);
    await browser.reset('ana');
  });

  describe('with several profiles of a person', () => {
    const lasting = (name: string) => cookie({ name, expires: inAnHour() });
    const namesIn = async (profile: string, user = 'ana') =>
      (await (await browser.open(user, profile)).cookies()).map(({ name }) => name);
    /** Opens each profile once, and leaves a cookie of the profile's name in it. */
    async function fill(...profiles: string[]): Promise<void> {
      for (const profile of profiles)
        await (await browser.open('ana', profile)).setCookies([lasting(`in-${profile}`)]);
    }

    it('runs one of them at a time and keeps their cookies apart', async () => {
      await fill(FIRST_PROFILE, 'jar work');
      const work = browser.current('ana');
      expect(work?.profile).toBe('jar work');
      expect(await namesIn('jar work')).toEqual(['in-jar work']);
      expect(browser.current('ana')).toBe(work);
      expect(await namesIn(FIRST_PROFILE)).toEqual(['in-']);
      await work?.closed;
      expect(await namesIn('jar home')).toEqual([]);
      expect(await namesIn('jar work', 'bea')).toEqual([]);
    });

    it('runs the profile that was asked for last when several are asked for at once', async () => {
      const asked = [FIRST_PROFILE, 'jar work', FIRST_PROFILE, 'jar home'];
      const sessions = await Promise.all(asked.map((profile) => browser.open('ana', profile)));
      expect(sessions.map(({ profile }) => profile)).toEqual(asked);
      expect(browser.current('ana')).toBe(sessions.at(-1));
      await Promise.all(sessions.slice(0, -1).map(({ closed }) => closed));
      expect(browser.status('ana')).toBe('on');
    });

    it('removes one of them, running or not, and keeps the others', async () => {
      await fill(FIRST_PROFILE, 'jar work', 'jar home');
      const home = browser.current('ana');
      await browser.remove('ana', 'jar work');
      expect(browser.current('ana')).toBe(home);
      await browser.remove('ana', 'jar home');
      expect(browser.status('ana')).toBe('off');
      expect(await namesIn('jar work')).toEqual([]);
      expect(await namesIn('jar home')).toEqual([]);
      expect(await namesIn(FIRST_PROFILE)).toEqual(['in-']);
      await browser.remove('nobody', 'jar work');
    });

    it('forgets the cookies of domains in the first of them only', async () => {
      await fill(FIRST_PROFILE, 'jar work');
      await browser.forget('ana', ['127.0.0.1']);
      expect(await namesIn('jar work')).toEqual(['in-jar work']);
      expect(await namesIn(FIRST_PROFILE)).toEqual([]);
    });

    it('forgets all of them on a reset', async () => {
      await fill(FIRST_PROFILE, 'jar work', 'jar home');
      await browser.reset('ana');
      expect(browser.status('ana')).toBe('off');
      for (const profile of [FIRST_PROFILE, 'jar work', 'jar home'])
        expect(await namesIn(profile)).toEqual([]);
    });
  });

  it('ends every session when it is closed and starts no more', async () => {
    const session = await browser.open('ana', FIRST_PROFILE);
    const starting = browser.open('bea', FIRST_PROFILE);
    await Promise.all([browser.close(), session.closed, starting.then(({ closed }) => closed)]);
    expect([browser.status('ana'), browser.status('bea')]).toEqual(['off', 'off']);
    await expect(browser.open('ana', FIRST_PROFILE)).rejects.toThrow(/stopping/);
  });
}
