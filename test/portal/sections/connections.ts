// Tests what the portal says about connections, and what people do about it, with a gateway that answers as each test
// wants.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Connection, OfferedWay, SignInWay, TokenWay } from '../../../portal/api/integrations.ts';
import { expectSoundInEveryLook, fetchWhole, untilLoaded } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

const AN_HOUR = 3600;
const REFUSED = 'GitHub answered 401: Bad credentials';
const REMOVE_AT = 'https://github.com/settings/tokens';

const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;
const ana = { id: '1', label: 'ana' };

const STATES: Record<string, Omit<Connection, 'name' | 'connected'>> = {
  ok: { status: 'ok', account: ana, way: 'oauth2', since: ago(9 * AN_HOUR), checkedAt: ago(AN_HOUR) },
  unverified: {
    status: 'unverified',
    cause: 'Not tested yet: Datadog has no check.',
    way: 'apikey',
    since: ago(AN_HOUR),
  },
  unreachable: {
    status: 'unreachable',
    cause: 'Notion answered 503',
    account: { id: '2', label: 'Ana of the workspace with the long name' },
    way: 'token',
    since: ago(AN_HOUR),
    checkedAt: ago(60),
  },
  reconnect: {
    status: 'reconnect',
    health: 'needs_reconnect',
    cause: REFUSED,
    account: ana,
    way: 'token',
    since: ago(2 * AN_HOUR),
    checkedAt: ago(300),
  },
};

const SIGN_IN: SignInWay = {
  kind: 'oauth2',
  ready: false,
  redirectUri: 'http://localhost:3000/api/auth/oauth/github/callback',
  scopes: ['repo', 'read:org', 'workflow', 'gist'],
  registerUrl: 'https://github.com/settings/applications/new',
  registerHelp: 'Choose New OAuth App, and enter the redirect address as its authorization callback URL.',
};
const TOKEN: TokenWay = {
  kind: 'token',
  fields: [
    {
      key: 'instanceUrl',
      label: 'Address of your GitHub',
      secret: false,
      required: false,
      placeholder: 'https://github.com',
      help: 'Leave this empty for https://github.com',
    },
    { key: 'token', label: 'Personal access token', secret: true, required: true, placeholder: 'ghp_…' },
  ],
  url: 'https://github.com/settings/tokens/new',
  help: 'The scopes are ticked already: choose an expiration and then Generate token.',
  scopes: ['repo', 'read:org', 'workflow', 'gist'],
};

/** Answers for some connections as the test says, and leaves the others as they are. */
async function pretend(
  page: Page,
  states: Record<string, Omit<Connection, 'name' | 'connected'>>,
): Promise<void> {
  await page.route('**/api/connections', async (route) => {
    const response = await fetchWhole(route);
    const { connections }: { connections: Connection[] } = await response.json();
    const changed = connections.map((row) => {
      const state = states[row.name];
      return state === undefined ? row : { ...row, connected: state.status !== 'reconnect', ...state };
    });
    await route.fulfill({ response, json: { connections: changed } });
  });
}

async function pretendWays(
  page: Page,
  name: string,
  ways: readonly OfferedWay[],
  configured = false,
): Promise<void> {
  await page.route(`**/api/integrations/${name}`, async (route) => {
    const response = await fetchWhole(route);
    await route.fulfill({ response, json: { ...(await response.json()), ways } });
  });
  await page.route('**/api/integrations', async (route) => {
    const response = await fetchWhole(route);
    const { integrations }: { integrations: { name: string }[] } = await response.json();
    const takesToken = ways.some(({ kind }) => kind === 'token');
    const changed = integrations.map((each) =>
      each.name === name ? { ...each, configured, takesToken } : each,
    );
    await route.fulfill({ response, json: { integrations: changed } });
  });
}

const administrator = (page: Page, name: string, answer: { status?: number; json: unknown }) =>
  page.route(`**/api/admin/clients/${name}`, (route) => route.fulfill(answer));
const member = { status: 403, json: { error: 'Only an administrator of this gateway may do that' } };
const noClient = { status: 404, json: { error: 'GitHub has no OAuth client on this gateway' } };

export function itTellsHowConnectionsDo(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  async function open(page: Page, path: string, heading: string): Promise<void> {
    await page.goto(at(path));
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await untilLoaded(page);
  }

  describe('The state of connections', () => {
    it('shows on the cards who is signed in, and lights a green lamp only for what was checked', async () => {
      const { page, close } = await signIn(subject);
      await pretend(page, {
        linear: STATES['ok'] ?? {},
        datadog: STATES['unverified'] ?? {},
        notion: STATES['unreachable'] ?? {},
        github: STATES['reconnect'] ?? {},
      });
      await pretendWays(page, 'github', [SIGN_IN, TOKEN]);
      await page.reload();
      const card = (name: string) =>
        page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
      await card('Linear').getByText('Signed in as ana').waitFor();
      expect(await card('Linear').locator('.lamp-green').innerText()).toBe('Connected');
      expect(await card('Datadog').locator('.lamp-off').innerText()).toBe('Not checked yet');
      expect(await card('Notion').locator('.lamp-amber').innerText()).toBe('No answer');
      expect(await card('GitHub').locator('.lamp-red').innerText()).toBe('Reconnect');
      await card('GitHub').getByRole('button', { name: 'Replace token GitHub' }).waitFor();
      await page.getByRole('heading', { name: 'Needs attention 1' }).waitFor();
      await expectSoundInEveryLook(page, 'states-cards');
      await close();
    });

    it.each([
      ['ok', 'linear', 'Linear', 'Agents can act as you in Linear.', 'Reconnect'],
      ['unverified', 'datadog', 'Datadog', 'Agents can act as you in Datadog.', 'Replace key'],
      [
        'unreachable',
        'notion',
        'Notion',
        'Notion is not responding. There is nothing to do',
        'Replace token',
      ],
      ['reconnect', 'github', 'GitHub', 'GitHub no longer accepts your token.', 'Replace token'],
    ])('says on the page what %s means', async (status, name, heading, meaning, button) => {
      const { page, close } = await signIn(subject);
      const state = STATES[status] ?? {};
      await pretend(page, { [name]: state });
      await pretendWays(page, name, [{ ...SIGN_IN, ready: true }, TOKEN], true);
      await administrator(page, name, member);
      await open(page, `/integrations/${name}?show=settings`, heading);
      const panel = page.getByRole('region', { name: 'Connection' });
      await panel.getByText(meaning).waitFor();
      if (state.cause !== undefined) await panel.getByText(state.cause).waitFor();
      if (state.account !== undefined) await panel.getByText(state.account.label).waitFor();
      // Nothing tests a key of Datadog.
      expect(await panel.getByRole('button', { name: 'Test' }).count()).toBe(status === 'unverified' ? 0 : 1);
      for (const label of [button, 'Disconnect'])
        await (label === button ? page : panel).getByRole('button', { name: label }).waitFor();
      await expectSoundInEveryLook(page, `state-${status}`);
      await close();
    });

    it('shows since when, what was granted, what is missing, and the latest calls', async () => {
      const { page, complaints, close } = await signIn(subject);
      const facts = {
        scopes: ['repo', 'workflow'],
        missingScopes: ['read:org'],
        connectedAt: ago(50 * AN_HOUR),
      };
      await pretend(page, { linear: { ...STATES['ok'], ...facts } });
      await pretendWays(page, 'linear', [{ ...SIGN_IN, ready: true }], true);
      await administrator(page, 'linear', { json: { clientId: 'one', source: 'environment' } });
      const call = {
        integration: 'linear',
        action: 'EXECUTE',
        actor: 'session',
        duration_ms: 120,
        error: null,
      };
      const entries = Array.from({ length: 7 }, (_, index) => ({
        ...call,
        id: 9 - index,
        tool: `linear_tool_${index}`,
        success: index !== 1,
        outcome: index === 1 ? 'error' : 'ok',
        error: index === 1 ? '404: {"errors":["Entity not found"]}' : null,
        created_at: ago(180 + index * AN_HOUR),
      }));
      await page.route('**/api/audit?integration=linear*', (route) => route.fulfill({ json: { entries } }));
      await open(page, '/integrations/linear?show=settings', 'Linear');
      const panel = page.getByRole('region', { name: 'Connection' });
      await panel.getByText('Connected 2 days ago').waitFor();
      await panel.getByText('Last call 3 minutes ago').waitFor();
      await panel.getByText('Linear has not granted 1 permission').waitFor();
      await panel.getByText('read:org').waitFor();
      await panel.getByText('2 permissions granted').click();
      await panel.getByText('workflow').waitFor();

      await page.getByRole('tab', { name: 'Activity' }).click();
      const calls = page.getByRole('region', { name: 'Latest calls' });
      expect(await calls.getByRole('listitem').count()).toBe(5);
      await calls.getByText('Linear found nothing under these names and ids.', { exact: true }).waitFor();
      await calls.getByText('Tool 1', { exact: true }).waitFor();
      expect(await calls.innerText()).not.toContain('Entity not found');
      await expectSoundInEveryLook(page, 'latest-calls');
      await calls.getByRole('link', { name: 'See all' }).click();
      await page.waitForURL('**/activity?integration=linear');
      expect(complaints).toEqual([]);
      await close();
    });

    it('counts in the navigation the connections that need the person', async () => {
      const { page, close } = await signIn(subject);
      await pretend(page, { github: STATES['reconnect'] ?? {}, notion: STATES['unreachable'] ?? {} });
      await page.goto(at('/activity'));
      await page
        .getByRole('navigation')
        .getByRole('link', { name: 'Integrations 1 needs attention' })
        .waitFor();
      await expectSoundInEveryLook(page, 'attention');
      await close();
    });

    it('tests a connection, and shows the result', async () => {
      const { page, close } = await signIn(subject);
      await pretend(page, { sentry: { ...STATES['unverified'], checkedAt: ago(AN_HOUR) } });
      await open(page, '/integrations/sentry?show=settings', 'Sentry');
      const panel = page.getByRole('region', { name: 'Connection' });
      const results: Partial<Connection>[] = [
        { status: 'ok', account: ana, way: 'apikey', checkedAt: ago(0), answeredInMs: 180 },
        {
          status: 'reconnect',
          cause: 'Sentry answered 401: Invalid token',
          way: 'apikey',
          checkedAt: ago(0),
        },
      ];
      await page.route('**/api/connections/sentry/check', (route) =>
        route.fulfill({ json: { name: 'sentry', connected: true, ...results.shift() } }),
      );
      await panel.getByRole('button', { name: 'Test' }).click();
      await panel.getByRole('status').getByText('Sentry answered in 180 ms. Signed in as ana.').waitFor();
      await panel.getByText('Signed in as ana with a key').waitFor();
      await panel.getByRole('button', { name: 'Test' }).click();
      await panel.getByRole('status').getByText('Sentry rejected the credential.').waitFor();
      await panel.getByText('Sentry answered 401: Invalid token').waitFor();
      await expectSoundInEveryLook(page, 'tested');
      await close();
    });
  });

  describe('Disconnecting', () => {
    it('names the connections that end too, and leads to the provider’s page for what is left', async () => {
      const { page, close } = await signIn(subject);
      const states = { jira: { ...STATES['ok'], siblings: ['confluence'] } };
      await pretend(page, states);
      await pretendWays(page, 'jira', [SIGN_IN, TOKEN], true);
      await administrator(page, 'jira', member);
      await open(page, '/integrations/jira?show=settings', 'Jira');
      await page.getByRole('button', { name: 'Disconnect' }).click();
      const question = page.getByRole('dialog', { name: 'Disconnect Jira?' });
      const [first = ''] = await question.locator('p').allInnerTexts();
      expect(first).toBe('This also ends Confluence, because one sign-in serves them all.');
      await expectSoundInEveryLook(page, 'disconnect');
      const asked = page.waitForRequest((request) => request.method() === 'DELETE');
      await page.route('**/api/connections/jira?*', (route) => {
        delete (states as Record<string, unknown>)['jira'];
        return route.fulfill({ json: { success: true, revoked: 'not-offered', removeAt: REMOVE_AT } });
      });
      await question.getByRole('button', { name: 'Disconnect' }).click();
      expect(new URL((await asked).url()).search).toBe('?revoke=true');
      const link = page.getByRole('link', { name: 'Remove it at Jira' });
      expect(await link.getAttribute('href')).toBe(REMOVE_AT);
      await expectSoundInEveryLook(page, 'disconnected');
      await close();
    });

    it.each([
      ['done', 'Linear is disconnected, and the access is revoked at Linear.'],
      ['pending', 'so the gateway tries again'],
    ])('says when the end at the provider is %s', async (revoked, said) => {
      const { page, close } = await signIn(subject);
      const states: Record<string, Omit<Connection, 'name' | 'connected'>> = {
        linear: STATES['ok'] ?? {},
      };
      await pretend(page, states);
      await pretendWays(page, 'linear', [{ ...SIGN_IN, ready: true }], true);
      await administrator(page, 'linear', member);
      await open(page, '/integrations/linear?show=settings', 'Linear');
      await page.route('**/api/connections/linear?*', (route) => {
        delete states['linear'];
        return route.fulfill({ json: { success: true, revoked } });
      });
      await page.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
      await page.getByRole('status').getByText(said).waitFor();
      await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
      await close();
    });
  });

  describe('Connecting with a token', () => {
    it('opens by an agent’s link, shows a refusal beside the field, and sends the person back', async () => {
      const { page, close } = await signIn(subject);
      await pretendWays(page, 'github', [SIGN_IN, TOKEN]);
      await administrator(page, 'github', noClient);
      await open(page, '/integrations/github?show=settings&connect=token', 'GitHub');
      const dialog = page.getByRole('dialog', { name: 'Connect GitHub' });
      const own = dialog.getByRole('link', { name: 'Open GitHub' });
      expect(await own.getAttribute('target')).toBe('_blank');
      expect(await own.getAttribute('href')).toBe('https://github.com/settings/tokens/new');
      for (const scope of TOKEN.scopes) await dialog.getByText(scope, { exact: true }).waitFor();
      expect(page.url()).toBe(at('/integrations/github?show=settings'));

      const field = dialog.getByLabel('Personal access token');
      await page.route('**/api/auth/apikey/github', (route) =>
        route.fulfill({ status: 400, json: { error: REFUSED } }),
      );
      await field.fill('ghp_wrong');
      await page.keyboard.press('Enter');
      await dialog.locator('.connect-problem').getByText(REFUSED).waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      expect(await field.inputValue()).toBe('ghp_wrong');
      await expectSoundInEveryLook(page, 'token-refused');

      await page.unroute('**/api/auth/apikey/github');
      await page.route('**/api/auth/apikey/github', (route) => route.fulfill({ json: { success: true } }));
      await pretend(page, { github: { ...STATES['ok'], way: 'token' } });
      await field.fill('ghp_right');
      await page.keyboard.press('Enter');
      await page.getByText('You can go back to your agent.').waitFor();
      await page.getByText('Signed in as ana with a token').waitFor();
      await expectSoundInEveryLook(page, 'back-to-agent');
      await close();
    });

    it('offers to sign in first, and a token below', async () => {
      const { page, close } = await signIn(subject);
      await pretendWays(page, 'github', [{ ...SIGN_IN, ready: true }, TOKEN], true);
      await administrator(page, 'github', member);
      await open(page, '/integrations/github?show=settings', 'GitHub');
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Connect GitHub' });
      await dialog.getByRole('button', { name: 'Continue to GitHub' }).waitFor();
      await expectSoundInEveryLook(page, 'both-ways');
      await dialog.getByRole('button', { name: 'Use a token instead' }).click();
      await dialog.getByLabel('Personal access token').waitFor();
      await dialog.getByRole('button', { name: 'Sign in with GitHub instead' }).click();
      await dialog.getByRole('button', { name: 'Continue to GitHub' }).waitFor();
      expect(await page.getByRole('region', { name: 'Set up sign-in' }).count()).toBe(0);
      await close();
    });
  });

  describe('The tools of an integration', () => {
    it('are grouped, filtered and decided together, and are few stops for Tab', async () => {
      const { page, complaints, settled, close } = await signIn(subject, { theme: 'light', width: 1440 });
      await administrator(page, 'github', member);
      await open(page, '/integrations/github', 'GitHub');
      await page.getByRole('heading', { name: /^Issues \d+$/ }).waitFor();
      await page.getByRole('heading', { name: /^Repositories \d+$/ }).waitFor();
      const stops = `[...document.querySelectorAll('main :is(a[href], button, input)')]
        .filter((each) => each.tabIndex >= 0 && each.checkVisibility()).length`;
      await settled();
      expect(await page.evaluate<number>(stops)).toBeLessThanOrEqual(25);
      await expectSoundInEveryLook(page, 'integration-tools');
      const links = page.locator('.tool-row a');
      await links.first().focus();
      await page.keyboard.press('ArrowDown');
      expect(
        await page.evaluate("document.activeElement === document.querySelectorAll('.tool-row a')[1]"),
      ).toBe(true);
      await page.keyboard.press('ArrowRight');
      expect(await page.evaluate('document.activeElement.className')).toContain('decision-button');

      const all = await page.locator('.tool-row').count();
      await page
        .getByRole('group', { name: 'What tools do' })
        .getByRole('button', { name: 'Deletes' })
        .click();
      const few = await page.locator('.tool-row').count();
      expect(few).toBeLessThan(all);
      expect(await page.locator('.tool-row-differs').count()).toBe(0);
      await page.getByRole('button', { name: 'Select', exact: true }).click();
      await page.getByRole('button', { name: `Select all ${few}` }).click();
      const bulk = page.getByRole('group', { name: 'Rule for the selected tools' });
      await bulk.getByRole('button', { name: 'Block' }).click();
      await bulk.getByText(`Saved for ${few} tools.`).waitFor();
      await expect.poll(() => page.locator('.tool-row-differs').count()).toBe(few);
      await expectSoundInEveryLook(page, 'integration-bulk');
      // The browser writes down that a member sees no client.
      expect(complaints.filter((line) => !line.includes('403'))).toEqual([]);
      await close();
    });
  });

  describe('Setting up the sign-in', () => {
    it('leads an administrator from the provider’s page to the saved client', async () => {
      const { page, close } = await signIn(subject);
      await pretendWays(page, 'github', [SIGN_IN]);
      await administrator(page, 'github', noClient);
      await open(page, '/integrations/github?show=settings', 'GitHub');
      const panel = page.getByRole('region', { name: 'Set up sign-in' });
      await page.locator('.head-actions').getByRole('button', { name: 'Set up' }).click();
      const register = panel.getByRole('link', { name: 'Open GitHub' });
      expect(await register.getAttribute('href')).toBe('https://github.com/settings/applications/new');
      await panel.getByRole('button', { name: 'Copy: Enter this redirect address' }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        'http://localhost:3000/api/auth/oauth/github/callback',
      );
      await panel.getByRole('button', { name: 'Copy: Ask for these scopes' }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe('repo read:org workflow gist');
      await panel.getByRole('button', { name: 'Save' }).click();
      expect(await panel.getByText('This is required.').count()).toBe(2);
      await panel.getByRole('button', { name: 'Add a GitHub of your own' }).click();
      await expectSoundInEveryLook(page, 'setup');

      await panel.getByLabel('Client ID', { exact: true }).fill('Iv1.one');
      await panel.getByLabel('Client secret', { exact: true }).fill('hush');
      await panel.getByLabel('Address 1').fill('https://github.example.com/');
      await panel.getByLabel('Client ID 1').fill('Iv1.two');
      await panel.getByLabel('Client secret 1').fill('hush too');
      const instances = [{ origin: 'https://github.example.com', clientId: 'Iv1.two' }];
      const client = { integration: 'github', clientId: 'Iv1.one', source: 'portal', instances };
      await page.unroute('**/api/admin/clients/github');
      await administrator(page, 'github', { json: client });
      const saved = page.waitForRequest((request) => request.method() === 'PUT');
      await panel.getByRole('button', { name: 'Save' }).click();
      expect((await saved).postDataJSON()).toEqual({
        clientId: 'Iv1.one',
        clientSecret: 'hush',
        instances: { 'https://github.example.com': { clientId: 'Iv1.two', clientSecret: 'hush too' } },
      });
      await panel.getByText('Set in the portal').waitFor();
      await panel.getByText('People can now sign in with GitHub.').waitFor();
      await expectSoundInEveryLook(page, 'setup-done');

      await panel.getByRole('button', { name: 'Change' }).click();
      expect(await panel.getByLabel('Client ID 1').inputValue()).toBe('Iv1.two');
      expect(await panel.getByLabel(/^Client secret ?Optional/).inputValue()).toBe('');
      await panel.getByRole('button', { name: 'Cancel' }).click();
      await panel.getByRole('button', { name: 'Remove' }).click();
      const gone = page.waitForRequest((request) => request.method() === 'DELETE');
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await gone;
      await panel.getByText('Removed.').waitFor();
      await close();
    });

    it('sets one client for all integrations of a provider', async () => {
      const { page, settled, close } = await signIn(subject);
      await page.goto(at('/integrations/gmail'));
      await page.getByRole('button', { name: 'Set up' }).click();
      const sheet = page.getByRole('dialog', { name: 'Set up the sign-in with Gmail' });
      await sheet.getByText('Google: one client for 7 integrations').waitFor();
      await sheet.getByText(at('/api/auth/family/google/callback')).waitFor();
      await expectSoundInEveryLook(page, 'setup-family');
      await sheet.getByText('Gmail only').click();
      await sheet.getByText(at('/api/auth/plugin/gmail/callback')).waitFor();
      await sheet.getByText('All 7 of Google').click();
      await sheet.getByLabel('Client ID').fill('one');
      await sheet.getByLabel('Client secret').fill('hush');
      await sheet.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Set in the portal for all of Google').waitFor();
      await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
      await page.goto(at('/integrations/gdrive'));
      await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
      await settled();
      await close();
    });

    it('shows a client of the environment without a way to change it', async () => {
      const { page, close } = await signIn(subject);
      await pretendWays(page, 'gmail', [{ ...SIGN_IN, ready: true }], true);
      await administrator(page, 'gmail', {
        json: { integration: 'gmail', clientId: '12-ab.apps.googleusercontent.com', source: 'environment' },
      });
      await open(page, '/integrations/gmail?show=settings', 'Gmail');
      const panel = page.getByRole('region', { name: 'Set up sign-in' });
      await panel.getByText('Set by environment variables').waitFor();
      await panel.getByText('GMAIL_CLIENT_ID').waitFor();
      expect(await panel.getByRole('button').count()).toBe(0);
      await expectSoundInEveryLook(page, 'setup-environment');
      await close();
    });

    it('tells a member whom to ask', async () => {
      const { page, close } = await signIn(subject);
      await pretendWays(page, 'gmail', [SIGN_IN]);
      await administrator(page, 'gmail', member);
      await open(page, '/integrations/gmail?show=settings', 'Gmail');
      await page.getByRole('region', { name: 'Ask your administrator' }).waitFor();
      expect(await page.getByRole('button', { name: 'Connect', exact: true }).count()).toBe(0);
      await expectSoundInEveryLook(page, 'setup-member');
      await close();
    });
  });
}
