// Tests the pages of imports with pretended sources, which show every state: how they look, and what they send.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { LARGE, type Pretended, pretendImports, SMALL, WITH_APP } from '../pretended-imports.ts';
import { axeViolations, expectSoundInEveryLook, LOW, scrollsSideways, type Visit, visit } from '../visit.ts';
import { DESKTOP, type Subject, galleryLink } from './subject.ts';

export function itShowsImports(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  async function open(look = DESKTOP): Promise<Visit & { now: Pretended }> {
    const visitor = await visit(subject.browser(), look);
    const now = await pretendImports(visitor.page);
    await visitor.page.goto(galleryLink(subject));
    await visitor.page.getByRole('heading', { name: 'More services' }).waitFor();
    return { ...visitor, now };
  }

  const lookAt = async (page: Page, address = 'https://example.com/openapi.json') => {
    await page.getByRole('textbox', { name: 'Address' }).fill(address);
    await page.getByRole('button', { name: 'Check address' }).click();
  };

  describe('The gallery', () => {
    it('marks imports, says which wait for a review, and shows well-known servers below', async () => {
      const { page, settled, complaints, close } = await open();
      const card = (name: string) =>
        page.locator('.card').filter({ has: page.getByRole('link', { name, exact: true }) });
      expect(await card('Company docs').innerText()).toMatch(/Review[^]*MCP server · Added by you/);
      expect(await card('Weather of the world').innerText()).toContain('OpenAPI · Added for everyone');
      expect(await card('Weather of the world').locator('.lamp-green').innerText()).toBe('Ready');
      // Calls of a blocked tool fail, so this import needs attention.
      await page.getByRole('region', { name: 'Needs attention 1' }).getByText('Company docs').waitFor();
      const more = page.getByRole('region', { name: /^More services/ });
      expect(await more.locator('.card').count()).toBe(12);
      await more.getByRole('button', { name: 'Show all 24' }).click();
      expect(await more.locator('.card').count()).toBe(24);
      expect(await more.locator('.card').last().innerText()).toContain('GitHub is built in, too');
      await page.getByRole('searchbox').fill('payments online');
      await page.getByText('1 integration', { exact: true }).waitFor({ state: 'attached' });
      await more.getByRole('link', { name: 'Payments Online' }).waitFor();
      await page.getByRole('searchbox').fill('');
      await settled();
      await expectSoundInEveryLook(page, 'imports-gallery');
      expect(complaints).toEqual([]);
      await close();
    });

    it('adds a well-known server with one click, and goes on to connect', async () => {
      const { page, now, close } = await open();
      now.preview = { ...SMALL, address: 'https://payments.example.com/mcp', auth: { type: 'none' } };
      await page.getByRole('button', { name: 'Add Payments Online' }).click();
      await page.getByRole('dialog', { name: 'Connect Payments Online' }).waitFor();
      const added = now.sent.find(([route]) => route === 'add')?.[1];
      // The header comes from the catalogue, and the name too.
      expect(added).toEqual({
        address: 'https://payments.example.com/mcp',
        kind: 'mcp',
        name: 'payments',
        displayName: 'Payments Online',
        for: 'me',
        auth: { type: 'headers', headers: { 'X-Api-Key': '{token}' } },
      });
      expect(page.url()).toBe(at('/integrations/payments'));
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('link', { name: 'Integrations', exact: true }).first().click();
      await page.getByRole('heading', { name: 'More services' }).waitFor();
      expect(await page.getByRole('button', { name: 'Add Payments Online' }).count()).toBe(0);
      await close();
    });

    it('leads to the form when a server wants a client, and when there is something to know', async () => {
      const { page, now, close } = await open();
      now.preview = { ...SMALL, auth: { type: 'oauth2', client: 'missing' } };
      await page.getByRole('button', { name: 'Add Notes' }).click();
      await page.getByText('Notes does not know this gateway yet').waitFor();
      await page.getByText(`${subject.gateway().base}/api/auth/plugin/notes/callback`).waitFor();
      expect(now.sent.some(([route]) => route === 'add')).toBe(false);
      await close();
    });

    it('says on its card why a server cannot be added', async () => {
      const { page, now, close } = await open();
      now.preview = { status: 504, error: 'The server did not answer within 30 seconds.' };
      await page.getByRole('button', { name: 'Add Notes' }).click();
      const alert = page.locator('.card').getByRole('alert');
      await alert.getByText('The service took too long').waitFor();
      await alert.getByText('The server did not answer within 30 seconds.').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await close();
    });
  });

  describe('Adding a service', () => {
    it('explains each refusal, and keeps what was typed', async () => {
      const { page, now, complaints, close } = await open();
      await page.getByRole('link', { name: 'Add a service' }).click();
      await page.getByRole('heading', { name: 'Add a service', level: 1 }).waitFor();
      await expectSoundInEveryLook(page, 'imports-add');
      await page.getByRole('button', { name: 'Check address' }).click();
      await page.getByText('Enter an address, or paste a description.').waitFor();
      for (const [status, title] of [
        [400, 'This cannot be added'],
        [413, 'This is too large'],
        [422, 'The description cannot be read'],
        [502, 'The service did not respond as expected'],
        [504, 'The service took too long'],
      ] as const) {
        now.preview = { status, error: `The gateway’s own words for ${status}.` };
        await lookAt(page);
        await page.getByRole('alert').getByText(title).waitFor();
        await page.getByRole('alert').getByText(`The gateway’s own words for ${status}.`).waitFor();
      }
      await expectSoundInEveryLook(page, 'imports-add-refused');
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      await page.goBack();
      expect(await page.getByRole('textbox', { name: 'Address' }).inputValue()).toBe(
        'https://example.com/openapi.json',
      );
      expect(complaints.filter((each) => !each.startsWith('Failed to load resource'))).toEqual([]);
      await close();
    });

    it('stops looking when the person no longer wants to wait', async () => {
      const { page, close } = await open();
      const never = Promise.withResolvers<void>();
      await page.route('**/api/imports/preview', () => never.promise);
      await page.goto(at('/integrations/add'));
      await lookAt(page);
      await page.getByText('Looking at the service').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('Stopped. Nothing was added.').waitFor();
      never.resolve();
      await close();
    });

    it('says what an app may do before it is added, also for a server that is well known', async () => {
      const { page, now, close } = await open();
      now.preview = { ...WITH_APP, address: 'https://payments.example.com/mcp' };
      await page.getByRole('button', { name: 'Add Payments Online' }).click();
      const board = page.locator('.picked').filter({ hasText: 'notes_board' });
      await board.getByText('This app may use the camera.').waitFor();
      expect(await board.innerText()).toContain('https://cdn.example.com');
      const move = page.locator('.picked').filter({ hasText: 'notes_move' });
      expect(await move.innerText()).toContain(
        'Only the app of this service calls it. Agents do not see it.',
      );
      expect(now.sent.some(([route]) => route === 'add')).toBe(false);
      await expectSoundInEveryLook(page, 'imports-add-app');
      await close();
    });

    it('shows the tags of a large description first, and sends only what was chosen', async () => {
      const { page, now, close } = await open();
      now.preview = LARGE;
      await page.goto(at('/integrations/add'));
      await lookAt(page);
      await page.getByRole('heading', { name: 'Forge' }).waitFor();
      expect(await page.locator('.picked').count()).toBe(0);
      await page.getByText('228 of 240 tools chosen').waitFor();
      const first = page.getByRole('region', { name: 'Read this before you add it' });
      expect(await first.getByRole('listitem').allInnerTexts()).toEqual([
        'The tool "operation_7" tells the model to keep something from you.',
      ]);
      expect(await page.getByRole('region', { name: 'Good to know' }).getByRole('listitem').count()).toBe(2);
      await page.getByRole('button', { name: 'Choose none' }).click();
      await page.getByRole('checkbox', { name: /^Users/ }).check();
      await page.getByRole('button', { name: 'Show the tools of Users' }).click();
      await page.getByLabel('forge_operation_3', { exact: true }).uncheck();
      await page.getByLabel('What forge_operation_8 does').selectOption('write');
      await page.getByText('47 of 240 tools chosen').waitFor();
      await expectSoundInEveryLook(page, 'imports-add-large');
      await page.getByRole('radio', { name: /^Everyone/ }).check();
      await page.getByRole('textbox', { name: 'Short name' }).fill('code_forge');
      await page.getByRole('button', { name: 'Add Forge' }).click();
      await page.getByRole('heading', { name: 'Forge', level: 1 }).waitFor();
      const form = now.sent.find(([route]) => route === 'add')?.[1];
      expect(form).toMatchObject({
        address: 'https://forge.example.com/openapi.json',
        kind: 'openapi',
        name: 'code_forge',
        for: 'everyone',
        access: { forge_operation_8: 'write' },
        include: expect.arrayContaining(['forge_operation_8', 'forge_operation_13']),
      });
      expect(form).not.toHaveProperty('auth');
      expect(form).not.toHaveProperty('base');
      expect(form).not.toMatchObject({ include: expect.arrayContaining(['forge_operation_3']) });
      await close();
    });

    it('asks for a client where the service wants one, and shows the address to register', async () => {
      const { page, now, close } = await open();
      now.preview = LARGE;
      await page.goto(at('/integrations/add'));
      await lookAt(page);
      await page.getByRole('radio', { name: /^Sign in/ }).check();
      await page.getByRole('textbox', { name: 'Short name' }).fill('docs');
      await page.getByText('“docs” is taken. Choose another name.').waitFor();
      await page.getByRole('textbox', { name: 'Short name' }).fill('forge');
      await page.getByRole('button', { name: 'Add Forge' }).click();
      await page.getByText('Enter the client ID.').waitFor();
      await expect
        .poll(() => page.evaluate('document.activeElement.labels?.[0]?.innerText'))
        .toBe('Client ID');
      await page.getByRole('button', { name: 'Copy: Redirect address to register' }).waitFor();
      await expectSoundInEveryLook(page, 'imports-add-client');
      await page.getByRole('textbox', { name: 'Client ID' }).fill('the client');
      await page.getByLabel('Client secret').fill('the secret');
      await page.getByRole('button', { name: 'Add Forge' }).click();
      await page.getByRole('heading', { name: 'Forge', level: 1 }).waitFor();
      expect(now.sent.find(([route]) => route === 'add')?.[1]).toMatchObject({
        auth: {
          type: 'oauth2',
          clientId: 'the client',
          clientSecret: 'the secret',
          scopes: ['repo', 'user'],
        },
      });
      await close();
    });

    it('sends other headers, and takes the text of a description', async () => {
      const { page, now, close } = await open();
      now.preview = { ...SMALL, kind: 'openapi', base: 'https://notes.example.com' };
      await page.goto(at('/integrations/add'));
      await page.getByRole('button', { name: 'Upload or paste a description instead' }).click();
      await page.locator('input[type=file]').setInputFiles({
        name: 'notes.yaml',
        mimeType: 'application/yaml',
        buffer: Buffer.from('openapi: 3.1.0'),
      });
      await page.getByText('notes.yaml, 14 B').waitFor();
      await page.getByRole('button', { name: 'Check address' }).click();
      await page.getByRole('radio', { name: /^Token/ }).check();
      await page.getByText('Advanced').click();
      await page.getByRole('textbox', { name: 'Header' }).fill('X-Key');
      await page.getByRole('textbox', { name: 'Value' }).fill('{key}');
      await page.getByRole('button', { name: 'Add a header' }).click();
      await page.getByRole('textbox', { name: 'Header 2' }).fill('X-Team');
      await page.getByRole('textbox', { name: 'Value 2' }).fill('{team}');
      await page.getByRole('textbox', { name: 'Address of the service' }).fill('https://own.example.com');
      await page.getByRole('button', { name: 'Add Notes' }).click();
      await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
      expect(now.sent.filter(([route]) => route !== 'change')).toEqual([
        ['preview', { document: 'openapi: 3.1.0' }],
        [
          'add',
          expect.objectContaining({
            document: 'openapi: 3.1.0',
            base: 'https://own.example.com',
            auth: { type: 'headers', headers: { 'X-Key': '{key}', 'X-Team': '{team}' } },
          }),
        ],
      ]);
      await close();
    });

    it('offers "everyone" only to people who may add for everyone, and says when tools come later', async () => {
      const { page, now, close } = await open();
      now.forEveryone = false;
      now.preview = { ...SMALL, tools: [], listed: false };
      await page.goto(at('/integrations/add'));
      await lookAt(page);
      await page.getByText('They appear once you have connected.').waitFor();
      expect(await page.getByText('Who can use it').count()).toBe(0);
      await close();
    });

    it('confirms with one button that a tool only reads', async () => {
      const { page, now, close } = await open();
      const [first, ...rest] = SMALL.tools;
      now.preview = {
        ...SMALL,
        tools: [
          ...(first === undefined ? [] : [{ ...first, access: 'write' as const, offered: 'read' as const }]),
          ...rest,
        ],
      };
      await page.goto(at('/integrations/add'));
      await page.getByRole('textbox', { name: 'Address' }).fill('https://notes.example.com/mcp');
      await page.keyboard.press('Enter');
      const choice = page.getByLabel('What notes_list does');
      await expect.poll(() => choice.inputValue()).toBe('write');
      await page.getByText('One tool is named as if it only reads.').waitFor();
      await expectSoundInEveryLook(page, 'imports-offered');
      await page.getByRole('button', { name: 'It only reads' }).click();
      await expect.poll(() => choice.inputValue()).toBe('read');
      expect(await page.getByRole('button', { name: 'It only reads' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Add Notes' }).click();
      await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
      expect(now.sent.find(([route]) => route === 'add')?.[1]).toMatchObject({
        access: { notes_list: 'read' },
      });
      await close();
    });

    it('needs no mouse', async () => {
      const { page, close } = await open();
      await page.goto(at('/integrations/add'));
      await page.getByRole('textbox', { name: 'Address' }).focus();
      await page.keyboard.type('https://notes.example.com/mcp');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Notes', level: 2 }).waitFor();
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Notes');
      await page.getByLabel('notes_delete', { exact: true }).focus();
      await page.keyboard.press('Space');
      await page.getByText('2 of 3 tools chosen').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
      await close();
    });
  });

  describe('The page of an import', () => {
    it('shows what changed side by side, and accepts one change or all', async () => {
      const { page, now, settled, complaints, close } = await open();
      await page.goto(at('/integrations/docs'));
      const review = page.getByRole('region', { name: 'Changes to review' });
      await review.getByRole('heading', { name: 'docs_search' }).waitFor();
      await settled();
      expect(await review.locator('.diff-added .diff-line').allInnerTexts()).toEqual([
        expect.stringContaining('"conversation": {'),
        expect.stringContaining('"description": "All that was said"'),
        expect.stringContaining('"type": "string"'),
        expect.stringContaining('},'),
      ]);
      await review.getByText('Calls wait until you accept').waitFor();
      await review.getByText('This app may send and read data at https://docs.example.com.').waitFor();
      await expectSoundInEveryLook(page, 'imports-review');
      // Side by side in a wide window, and one below the other on a phone.
      const tops = async () =>
        Promise.all(
          (await review.locator('.diff-text').first().locator('.diff-side').all()).map(
            async (side) => (await side.boundingBox())?.y,
          ),
        );
      const [left, right] = await tops();
      expect(left).toBe(right);
      await page.setViewportSize({ width: 390, height: 844 });
      const [upper = 0, lower = 0] = await tops();
      expect(upper).toBeLessThan(lower);
      await review.getByRole('button', { name: 'Accept docs_search' }).click();
      await review.getByText('docs_search is accepted.').waitFor();
      expect(await review.getByRole('heading', { name: 'docs_search' }).count()).toBe(0);
      await review.getByRole('button', { name: 'Accept all' }).click();
      await review.getByText('All changes are accepted.').waitFor();
      expect(now.sent.filter(([route]) => route === 'accept')).toEqual([
        ['accept', { tools: ['docs_search'], version: '1' }],
        ['accept', { tools: ['docs_read', 'docs_share', 'docs_export'], version: '1' }],
      ]);
      expect(complaints).toEqual([]);
      await close();
    });

    it('shows texts from outside as text, and cuts long ones', async () => {
      const { page, now, close } = await open();
      const markup = `<img src=x onerror="alert(1)"> ${'W'.repeat(2_000)}`;
      now.imports = now.imports.map((each) => ({
        ...each,
        description: markup,
        checkError: markup,
        tools: each.tools.map((tool) => ({ ...tool, description: markup })),
      }));
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(at('/integrations/docs'));
        await page.getByRole('button', { name: 'More' }).first().waitFor();
        expect(await page.locator('img[src="x"]').count()).toBe(0);
        expect(await scrollsSideways(page), `at ${width}`).toBe(false);
        await page.getByRole('button', { name: 'More' }).last().click();
        expect(await scrollsSideways(page), `at ${width}`).toBe(false);
      }
      await close();
    });

    it('checks the source, changes the choice of tools, and edits how people connect', async () => {
      const { page, now, close } = await open();
      await page.goto(at('/integrations/docs'));
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByText('4 tools wait for your review').waitFor();
      await page.getByRole('tab', { name: 'Tools' }).click();
      await page.getByRole('button', { name: 'Choose tools' }).click();
      await page.getByLabel('docs_delete', { exact: true }).uncheck();
      await page.getByLabel('What docs_edit does').selectOption('destroy');
      await page.getByLabel('docs_import', { exact: true }).check();
      await expectSoundInEveryLook(page, 'imports-choose');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The tools are saved.').waitFor();
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('textbox', { name: 'Display name' }).fill('Our docs');
      await page.getByRole('textbox', { name: 'Seconds a call may take' }).fill('1000');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Enter a whole number from 1 to 300').waitFor();
      await page.getByRole('textbox', { name: 'Seconds a call may take' }).fill('120');
      await page.getByRole('radio', { name: /^No sign-in/ }).check();
      await page.getByText('has to connect again when you save').waitFor();
      await expectSoundInEveryLook(page, 'imports-edit');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.', { exact: true }).waitFor();
      expect(now.sent.filter(([route]) => route === 'change')).toEqual([
        ['change', { access: { docs_edit: 'destroy' }, exclude: ['docs_delete'] }],
        ['change', { displayName: 'Our docs', timeoutSec: 120, auth: { type: 'none' } }],
      ]);
      await close();
    });

    it('names what ends before it deletes an import', async () => {
      const { page, close } = await open();
      await page.goto(at('/integrations/docs?show=settings'));
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      const question = page.getByRole('dialog', { name: 'Delete Company docs?' });
      await question.getByText('Your account of Company docs is disconnected').waitFor();
      await question.getByText('Agents lose 4 tools').waitFor();
      await question.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
      expect(await page.getByRole('link', { name: 'Company docs' }).count()).toBe(0);
      await close();
    });

    it('lets nobody change an import that is not theirs', async () => {
      const { page, settled, close } = await open();
      await page.goto(at('/integrations/weather?show=settings'));
      await page.getByText('only administrators change it').waitFor();
      await page.getByText('Weather of the world needs no sign-in').waitFor();
      for (const name of ['Check now', 'Edit', 'Delete'])
        expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
      await page.getByRole('tab', { name: 'Tools' }).click();
      await page.getByRole('heading', { name: /^Tools / }).waitFor();
      expect(await page.getByRole('button', { name: 'Choose tools', exact: true }).count()).toBe(0);
      await settled();
      await expectSoundInEveryLook(page, 'imports-of-everyone');
      await close();
    });

    it('says why the source could not be asked, and that tools come after connecting', async () => {
      const { page, settled, close } = await open();
      await page.goto(at('/integrations/tracker'));
      await page.getByText('Connect it, and they appear here.').waitFor();
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByText('The last check failed').waitFor();
      await page.getByText('it is being repaired').waitFor();
      expect(await page.locator('.lamp-green').count()).toBe(0);
      expect(await page.locator('.lamp-red').filter({ hasText: 'The last check failed' }).count()).toBe(1);
      await settled();
      await expectSoundInEveryLook(page, 'imports-unreached');
      await close();
    });

    it('makes every control 44 pixels high on a phone', async () => {
      const { page, now, close } = await open({ theme: 'light', width: 390 });
      now.preview = LARGE;
      for (const path of [
        '/integrations',
        '/integrations/docs',
        '/integrations/docs?show=settings',
        '/integrations/add',
      ]) {
        await page.goto(at(path));
        await page.getByRole('heading', { level: 1 }).waitFor();
        if (path === '/integrations/add') {
          await lookAt(page);
          await page.getByRole('button', { name: 'Show the tools of Issues' }).click();
        } else if (path === '/integrations/docs') {
          await page.getByRole('button', { name: 'Choose tools' }).waitFor();
        } else {
          await page.getByText(path === '/integrations' ? 'More services' : /^Source$/).waitFor();
        }
        expect(await page.evaluate(LOW), path).toEqual([]);
      }
      await close();
    });
  });
}
