// Tests the switch of an integration and the buttons of its tools, by mouse and by keyboard.
import { describe, expect, it } from 'vitest';
import { callTool, readRules, setRules } from '../gateway-calls.ts';
import { LARGE_IMPORT, pretendImports } from '../pretended-imports.ts';
import { axeViolations, expectSoundInEveryLook, LOW, scrollsSideways, type Visit } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

export function itDecidesAboutTools(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  async function open(integration: string): Promise<Visit> {
    const visitor = await signIn(subject);
    await visitor.page.goto(at(`/integrations/${integration}`));
    await visitor.page.getByRole('heading', { name: 'What agents may do' }).waitFor();
    await visitor.settled();
    return visitor;
  }

  describe('On an integration’s page', () => {
    it('blocks the whole integration except one tool, and says what that does', async () => {
      const { page, complaints, close } = await open('jots');
      const whole = page.getByRole('group', { name: 'What agents may do with Jots' });
      const button = (name: string) => whole.getByRole('button', { name, exact: true });
      expect(await button('My rules').getAttribute('aria-pressed')).toBe('true');
      await page.getByText('Your general rules apply: agents do everything without asking').waitFor();
      await button('Block').click();
      await page.getByText('Agents cannot use Jots from now on.').waitFor();
      expect(await button('Block').getAttribute('aria-pressed')).toBe('true');
      expect((await callTool(subject, 'list_jots')).error).toBe('BLOCKED');

      await page.getByRole('button', { name: 'list_jots: Blocked, your rules. Change' }).click();
      await page.getByRole('menuitemradio', { name: /^Allow/ }).click();
      await page.getByRole('button', { name: 'list_jots: Allowed, set here. Change' }).waitFor();
      await page
        .getByRole('listitem')
        .getByText('Agents use list_jots without asking from now on.')
        .waitFor();
      await page.getByText('One tool has its own rule').waitFor();
      expect((await callTool(subject, 'list_jots')).status).toBe(200);
      expect((await callTool(subject, 'delete_jot', { args: { name: 'a' } })).error).toBe('BLOCKED');

      await button('My rules').click();
      await page.getByText('Your general rules apply to Jots again.').waitFor();
      expect(await readRules(subject)).toEqual([
        { integration: 'jots', tool: 'list_jots', decision: 'allow' },
      ]);
      expect(complaints).toEqual([]);
      await close();
    });

    it('keeps both of two quick changes', async () => {
      const { page, close } = await open('time');
      for (const tool of ['time_now', 'time_convert']) {
        await page.getByRole('button', { name: new RegExp(`^${tool}:`) }).click();
        await page.getByRole('menuitemradio', { name: /^Ask/ }).click();
      }
      await page.getByRole('button', { name: 'time_convert: Asks, set here. Change' }).waitFor();
      await page.getByRole('button', { name: 'time_now: Asks, set here. Change' }).waitFor();
      expect((await readRules(subject)).map(({ tool }) => tool)).toEqual(['time_now', 'time_convert']);
      await close();
    });

    it('keeps a change that another window has made meanwhile', async () => {
      const { page, close } = await open('time');
      await setRules(subject, [{ integration: 'web', decision: 'block' }]);
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await page.getByText('Agents ask before each call to Time from now on.').waitFor();
      expect(await readRules(subject)).toEqual([
        { integration: 'web', decision: 'block' },
        { integration: 'time', decision: 'ask' },
      ]);
      await close();
    });

    it('says in the row why a change did not work, and changes nothing', async () => {
      const { page, close } = await open('time');
      await page.route('**/api/policy', (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 400, json: { error: 'rules: there are too many' } })
          : route.continue(),
      );
      await page.getByRole('button', { name: /^time_now:/ }).click();
      await page.getByRole('menuitemradio', { name: /^Block/ }).click();
      await page.getByRole('listitem').getByText('rules: there are too many').waitFor();
      await page.getByRole('button', { name: 'time_now: Allowed, your rules. Change' }).waitFor();
      await close();
    });

    it('needs no mouse, and returns the focus to the button', async () => {
      const { page, close } = await open('time');
      const button = page.getByRole('button', { name: /^time_now:/ });
      const focused = () => page.evaluate<string>('document.activeElement.textContent');
      await button.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menu', { name: 'What agents may do with time_now' }).waitFor();
      await expect.poll(focused).toMatch(/^As my rules say/);
      expect(await axeViolations(page)).toEqual([]);
      await page.keyboard.press('ArrowUp');
      expect(await focused()).toMatch(/^Block/);
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowDown');
      expect(await focused()).toMatch(/^Allow/);
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'hidden' });
      expect(await button.evaluate((each) => each.matches(':focus'))).toBe(true);
      await page.keyboard.press('Enter');
      await expect.poll(focused).toMatch(/^As my rules say/);
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'time_now: Blocked, set here. Change' }).waitFor();
      expect(await button.evaluate((each) => each.matches(':focus'))).toBe(true);
      await close();
    });

    it('says that requests of any kind depend on the request', async () => {
      await setRules(subject, [
        { access: 'write', decision: 'block' },
        { access: 'destroy', decision: 'block' },
      ]);
      const { page, close } = await open('jira');
      await page.getByRole('button', { name: 'jira_request: Depends, on the request. Change' }).click();
      await page.getByText('It can send any request. GET reads, DELETE deletes').waitFor();
      await close();
    });

    it('offers a decision in each of 1,200 rows, and opens its one menu on a phone as a sheet', async () => {
      const { page, complaints, close } = await signIn(subject);
      const now = await pretendImports(page);
      now.imports.push(LARGE_IMPORT);
      await page.goto(at('/integrations/forge'));
      await page.getByText('forge_operation_1199').waitFor();
      expect(await page.locator('.tool-row .decision-button').count()).toBe(1200);
      expect(await page.locator('[popover].choice-menu').count()).toBe(1);
      await page.getByRole('button', { name: /^forge_operation_700:/ }).click();
      await page.getByRole('menuitemradio', { name: /^Block/ }).click();
      await page.getByRole('button', { name: 'forge_operation_700: Blocked, set here. Change' }).waitFor();
      expect(await readRules(subject)).toEqual([
        { integration: 'forge', tool: 'forge_operation_700', decision: 'block' },
      ]);

      await page.getByRole('searchbox', { name: 'Search tools' }).fill('forge_operation_70');
      await page.getByText('11 of 1,200 tools').waitFor();
      await expectSoundInEveryLook(page, 'integration-forge');
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(LOW)).toEqual([]);
      await page.getByRole('button', { name: /^forge_operation_701:/ }).click();
      const sheet = await page.getByRole('menu').boundingBox();
      expect(sheet?.width).toBeGreaterThan(340);
      expect(await scrollsSideways(page)).toBe(false);
      expect(complaints).toEqual([]);
      await close();
    });
  });
}
