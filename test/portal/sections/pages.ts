// Tests every page in both themes, wide and narrow: no errors, no axe violations, no sideways scrolling.
import { describe, expect, it } from 'vitest';
import { pretendJot } from '../pretended-jots.ts';
import {
  axeViolations,
  expectSoundInEveryLook,
  fetchWhole,
  FRAME,
  LOOKS,
  LOW,
  photograph,
  scrollsSideways,
  visit,
} from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

const PAGES = [
  { name: 'integrations', path: '/', heading: 'Integrations' },
  { name: 'overview-empty', path: '/overview', heading: 'Overview' },
  { name: 'integration', path: '/integrations/time', heading: 'Time' },
  { name: 'integration-activity', path: '/integrations/time?show=activity', heading: 'Time' },
  { name: 'integration-settings', path: '/integrations/sentry?show=settings', heading: 'Sentry' },
  { name: 'imports-add', path: '/integrations/add', heading: 'Add a service' },
  { name: 'integration-missing', path: '/integrations/none', heading: 'Integration not found' },
  { name: 'clients', path: '/clients', heading: 'Connect an agent' },
  { name: 'clients-cursor', path: '/clients?client=cursor', heading: 'Connect an agent' },
  { name: 'clients-curl', path: '/clients?client=curl', heading: 'Connect an agent' },
  { name: 'clients-chatgpt', path: '/clients?client=chatgpt', heading: 'Connect an agent' },
  { name: 'tools', path: '/tools', heading: 'Tools' },
  { name: 'tools-form', path: '/tools?tool=time_convert', heading: 'Tools', title: 'time_convert' },
  { name: 'jots', path: '/jots', heading: 'Jots' },
  { name: 'agents', path: '/agents', heading: 'Agents' },
  { name: 'agents-key-form', path: '/agents?new=key', heading: 'Agents' },
  { name: 'agent', path: '/agents/key', heading: 'Personal key' },
  { name: 'agent-missing', path: '/agents/none', heading: 'Agent not found' },
  { name: 'settings', path: '/settings', heading: 'Settings' },
  { name: 'notices', path: '/settings/notices', heading: 'Notices' },
  { name: 'people', path: '/people', heading: 'People' },
  { name: 'gateway', path: '/gateway', heading: 'This gateway' },
  { name: 'sets', path: '/sets', heading: 'Sets' },
  { name: 'sets-new', path: '/sets?new=set', heading: 'Sets' },
  { name: 'scripts', path: '/scripts', heading: 'Scripts' },
  { name: 'events', path: '/events', heading: 'Events' },
  { name: 'events-new', path: '/events/new', heading: 'Subscribe to events' },
  { name: 'rules', path: '/rules', heading: 'Rules' },
  { name: 'machines', path: '/machines', heading: 'Machines' },
  { name: 'machines-issuer-form', path: '/machines?new=issuer', heading: 'Machines' },
  { name: 'machines-clients', path: '/machines?show=clients', heading: 'Machines' },
  { name: 'machines-client-form', path: '/machines?show=clients&new=client', heading: 'Machines' },
  { name: 'products', path: '/products', heading: 'Products' },
  { name: 'products-new', path: '/products/new', heading: 'New product' },
  { name: 'connect-link-none', path: '/connect', heading: 'This link does not work' },
  { name: 'browser-link-none', path: '/browser', heading: 'This link does not work' },
  { name: 'approvals', path: '/approvals', heading: 'Approvals' },
  { name: 'approvals-decided', path: '/approvals?show=decided', heading: 'Approvals' },
  { name: 'activity', path: '/activity', heading: 'Activity' },
  { name: 'not-found', path: '/nowhere', heading: 'Page not found' },
];

export function itHasSoundPages(subject: Subject): void {
  describe.each(LOOKS)('Pages, $theme, $width', (look) => {
    it('shows sound pages to a signed-in person', async () => {
      const { page, complaints, settled, close } = await signIn(subject, look);
      for (const { name, path, heading, title = heading } of PAGES) {
        await page.goto(subject.gateway().base + path);
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
        await settled();
        expect(await page.title()).toBe(`${title} · Gateway`);
        expect(await axeViolations(page), name).toEqual([]);
        expect(await scrollsSideways(page), name).toBe(false);
        await photograph(page, `${name}-${look.theme}-${look.width}`);
      }
      // The answers of a first page are asked for before it is known whether there is such an integration.
      expect(complaints.filter((each) => !each.endsWith('/api/integrations/none'))).toEqual([]);
      await close();
    });

    it('shows a sound sign-in page', async () => {
      const { page, complaints, settled, close } = await visit(subject.browser(), look);
      await page.goto(subject.gateway().base);
      await page.getByRole('heading', { name: 'Get a sign-in link' }).waitFor();
      await settled();
      expect(await axeViolations(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      await photograph(page, `signin-${look.theme}-${look.width}`);
      // A gateway without providers may lack the route.
      expect(complaints.filter((each) => !each.endsWith('/api/auth/providers'))).toEqual([]);
      await close();
    });

    it('shows a sound question and account menu', async () => {
      const { page, complaints, close } = await signIn(subject, look);
      await page.goto(`${subject.gateway().base}/settings`);
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('dialog', { name: 'Delete the personal key?' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, `question-${look.theme}-${look.width}`);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: /Account/ }).click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, `account-${look.theme}-${look.width}`);
      expect(complaints).toEqual([]);
      await close();
    });
  });

  it('adds no step to the history for a link to the current page', async () => {
    const { page, close } = await signIn(subject);
    const agents = page.getByRole('link', { name: 'Agents', exact: true });
    await agents.click();
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    await agents.click();
    await agents.click();
    await page.goBack();
    await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
    await close();
  });

  it('says that ChatGPT cannot sign in to a gateway without a sign-in provider', async () => {
    const { page, close } = await signIn(subject);
    const note = page.getByText('which is not set up on this gateway');
    await page.goto(`${subject.gateway().base}/clients?client=chatgpt`);
    await note.waitFor();
    await page.route('**/api/auth/providers*', (route) =>
      route.fulfill({ json: { providers: ['idp', 'hosted'] } }),
    );
    await page.reload();
    await page.getByText('pick OAuth for authentication').waitFor();
    expect(await note.isVisible()).toBe(false);
    await close();
  });

  it('aligns the buttons of an integration’s panels at their right edge', async () => {
    const { page, close } = await signIn(subject);
    await page.route('**/api/connections', async (route) => {
      const response = await fetchWhole(route);
      const { connections }: { connections: { name: string }[] } = await response.json();
      const made = connections.map((each) =>
        each.name === 'github' ? { ...each, connected: true, status: 'reconnect' } : each,
      );
      await route.fulfill({ response, json: { connections: made } });
    });
    await page.goto(`${subject.gateway().base}/integrations/github?show=settings`);
    const panels = page.getByRole('tabpanel');
    const edge = async (name: string) => {
      const box = await panels.getByRole('button', { name, exact: true }).boundingBox();
      return box && Math.round(box.x + box.width);
    };
    await panels.getByRole('button', { name: 'Set up' }).waitFor();
    expect(await edge('Set up')).toBe(await edge('Disconnect'));
    await close();
  });

  it('moves nothing when the steps to a first call load last', async () => {
    const { page, close } = await signIn(subject);
    const late = Promise.withResolvers<void>();
    await page.route('**/api/audit?*', (route) => late.promise.then(() => route.continue()));
    await page.addInitScript(`
      window.moved = 0;
      new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.moved += value; })
        .observe({ type: 'layout-shift', buffered: true });
    `);
    const known = page.waitForResponse(/\/api\/connections$/);
    await page.reload();
    await known;
    for (let frame = 0; frame < 10; frame++) await page.evaluate(FRAME);
    late.resolve();
    await page.getByText('0 of 3 done').waitFor();
    await page.getByRole('button', { name: 'Connect Grafana' }).waitFor();
    for (let frame = 0; frame < 3; frame++) await page.evaluate(FRAME);
    expect(await page.evaluate<number>('window.moved')).toBeLessThan(0.05);
    await close();
  });

  it('keeps the width of the text when it says that copying is blocked', async () => {
    const { page, close } = await signIn(subject);
    await page.addInitScript(`
      navigator.clipboard.writeText = navigator.clipboard.write = () => Promise.reject(new Error('blocked'));
      document.execCommand = () => false;
    `);
    await page.goto(`${subject.gateway().base}/clients`);
    const address = page.locator('.address');
    const width = async () => (await address.locator('pre').boundingBox())?.width;
    await address.waitFor();
    const before = await width();
    await page.getByRole('button', { name: 'Copy: The gateway’s MCP address' }).click();
    await address.getByText('Your browser blocks copying here').waitFor();
    expect(await width()).toBe(before);
    await page.goto(`${subject.gateway().base}/settings`);
    await page.getByRole('button', { name: 'Copy: Your personal key' }).click();
    await page.locator('.key-actions').getByText('Your browser blocks copying here').waitFor();
    await expectSoundInEveryLook(page, 'copy-blocked');
    await close();
  });

  it('never scrolls sideways at any width from 390 to 1,920', async () => {
    const { page, settled, close } = await signIn(subject);
    for (const { name, path, heading } of PAGES) {
      await page.goto(subject.gateway().base + path);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await settled();
      for (const width of [390, 480, 640, 759, 760, 900, 1023, 1024, 1180, 1240, 1440, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await scrollsSideways(page), `${name} at ${width}`).toBe(false);
      }
    }
    await close();
  });

  it('makes every control 44 pixels high on a phone', async () => {
    const { page, settled, close } = await signIn(subject, { theme: 'light', width: 390 });
    await page.route('**/api/jots', (route) => route.fulfill({ json: { jots: [pretendJot('one')] } }));
    for (const { name, path, heading } of PAGES) {
      await page.goto(subject.gateway().base + path);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await settled();
      expect(await page.evaluate(LOW), name).toEqual([]);
    }
    for (const [path, button] of [
      ['/integrations/jenkins', 'Connect'],
      ['/', 'Account'],
    ] as const) {
      await page.goto(subject.gateway().base + path);
      await page.getByRole('button', { name: button, exact: path !== '/' }).click();
      expect(await page.evaluate(LOW), button).toEqual([]);
    }
    await close();
  });

  it('scrolls the chosen item of a long row into view on a phone', async () => {
    const { page, settled, close } = await signIn(subject, { theme: 'light', width: 390 });
    const inSight = (selector: string) =>
      page.evaluate<boolean>(`(() => {
        const { left, right } = document.querySelector('${selector}').getBoundingClientRect();
        return left >= 0 && right <= innerWidth;
      })()`);
    await page.goto(`${subject.gateway().base}/clients?client=curl`);
    await page.getByRole('tab', { name: 'curl' }).waitFor();
    await settled();
    expect(await inSight('[aria-selected="true"]')).toBe(true);
    await page.goto(`${subject.gateway().base}/?category=security`);
    await page.getByRole('button', { name: 'Monitoring' }).waitFor();
    expect(await inSight('.chip[aria-pressed="true"]')).toBe(true);
    await close();
  });

  it('does not break a command in the middle of an option', async () => {
    const { page, close } = await signIn(subject);
    await page.goto(`${subject.gateway().base}/clients`);
    await page.getByRole('button', { name: 'Create the key for Claude Code' }).click();
    const option = page.locator('code span', { hasText: '--header' });
    await option.waitFor();
    const line = (await option.boundingBox())?.height;
    for (const width of [390, 360, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect((await option.boundingBox())?.height, `at ${width}`).toBe(line);
    }
    await close();
  });

  it('shows the chosen and lit elements in forced colours', async () => {
    const { page, close } = await signIn(subject);
    await page.emulateMedia({ forcedColors: 'active' });
    const all = page.getByRole('button', { name: 'All', exact: true });
    const fill = async (selector: string) => {
      await page.locator(selector).first().waitFor();
      return page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);
    };
    await all.waitFor();
    expect(await fill('.chip[aria-pressed="true"]')).not.toBe(await fill('.chip[aria-pressed="false"]'));
    expect(await fill('.lamp-green .lamp-light')).not.toBe(await fill('.panel, .card'));
    await page.goto(`${subject.gateway().base}/tools?tool=time_now`);
    await page.getByRole('heading', { name: 'time_now' }).waitFor();
    const links = '.finder-list a';
    expect(await fill(`${links}[aria-current]`)).not.toBe(await fill(`${links}:not([aria-current])`));
    await close();
  });

  it('scrolls the side column in a window as low as a phone in landscape', async () => {
    const { page, close } = await signIn(subject);
    await page.setViewportSize({ width: 844, height: 300 });
    await page.getByRole('button', { name: /Account/ }).scrollIntoViewIfNeeded();
    const bottom = "document.querySelector('.account-button').getBoundingClientRect().bottom";
    expect(await page.evaluate(bottom)).toBeLessThanOrEqual(300);
    await close();
  });

  it('keeps a name or search of one long word within the page and within a question', async () => {
    const { page, settled, close } = await signIn(subject);
    const word = 'W'.repeat(200);
    const agent = {
      client_id: 'c',
      client_name: word,
      scopes: [],
      connected_since: 1,
      expires_at: 2,
      limits: {},
      last_used_at: null,
    };
    await page.route('**/api/agents', (route) => route.fulfill({ json: { agents: [agent] } }));
    // The page does not scroll sideways when a part is cut off at the side.
    const isCut = `[...document.querySelectorAll('h2, p')].some((each) => each.scrollWidth > each.clientWidth + 1
      && !each.closest('.visually-hidden'))`;
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${subject.gateway().base}/agents/client%3Ac`);
      await page.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await page.evaluate(isCut), `question at ${width}`).toBe(false);
      for (const path of [`/?q=${word}`, `/tools?tool=${word}`]) {
        await page.goto(subject.gateway().base + path);
        await page.getByText(`“${word}”`).first().waitFor();
        await settled();
        expect(await scrollsSideways(page), `${path} at ${width}`).toBe(false);
        expect(await page.evaluate(isCut), `${path} at ${width}`).toBe(false);
      }
    }
    await close();
  });

  it('keeps the name of the last called tool within its panel', async () => {
    const { page, close } = await signIn(subject);
    // The registry allows no longer name.
    const call = { id: 1, integration: 'time', tool: 'x'.repeat(64), action: 'EXECUTE', success: true };
    await page.route('**/api/audit?', (route) =>
      route.fulfill({ json: { entries: [{ ...call, error: null, duration_ms: 1, created_at: 1 }] } }),
    );
    await page.goto(`${subject.gateway().base}/clients`);
    await page.getByText(`Last call: ${call.tool}`).waitFor();
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await scrollsSideways(page), `at ${width}`).toBe(false);
    }
    await close();
  });

  it('shows an agent’s name without control characters, and names its button after it', async () => {
    const { page, close } = await signIn(subject);
    const agents = ['Safe\u202Eedoc', ' \u200B'].map((client_name, index) => {
      return {
        client_id: `c${index}`,
        client_name,
        scopes: [],
        connected_since: 1,
        expires_at: 2,
        limits: {},
        last_used_at: null,
      };
    });
    await page.route('**/api/agents', (route) => route.fulfill({ json: { agents } }));
    await page.goto(`${subject.gateway().base}/agents`);
    await page.getByRole('heading', { name: 'Unnamed agent', level: 2 }).waitFor();
    expect(await page.locator('h2').first().textContent()).toBe('Safe edoc');
    await page.getByRole('link', { name: 'Safe edoc', exact: true }).click();
    await page.getByRole('button', { name: 'Disconnect Safe edoc', exact: true }).click();
    await page.getByRole('dialog', { name: 'Disconnect “Safe edoc”?' }).waitFor();
    await close();
  });

  it('shows skeletons in the place of the data, and animates them only without reduced motion', async () => {
    const { page, close } = await signIn(subject);
    await page.route('**/api/**', (route) =>
      route.request().url().includes('/auth/') ? route.continue() : undefined,
    );
    const moving = 'document.getAnimations().length';
    for (const { path, heading } of PAGES.filter(({ path: each }) =>
      /^\/(|overview|jots|agents|activity|approvals|tools|settings)$/.test(each),
    )) {
      await page.goto(subject.gateway().base + path);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await page.locator('.skeleton').first().waitFor();
      expect(await page.evaluate(moving), path).toBe(0);
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await page.waitForFunction(`${moving} > 0`);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      expect(await axeViolations(page), path).toEqual([]);
    }
    await close();
  });
}
