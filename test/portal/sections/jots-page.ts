// Tests the jots page: what is published, who can see it, and deleting it.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { zip } from '../../support/zip.ts';
import { expectSoundInEveryLook } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

const FOCUSED = 'document.activeElement.textContent';

export function itManagesJots(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  const files = [{ path: 'index.html', content: '<!doctype html><title>t</title><h1>Published</h1>' }];

  /** Publishes jots as an agent does. */
  async function deploy(args: object): Promise<void> {
    const { request, session } = subject.gateway();
    const response = await request('/rest/jots', {
      method: 'POST',
      headers: { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ tool: 'deploy_jot', args: { ...args, files } }),
    });
    expect(response.status).toBe(200);
  }
  const deployOpen = () => deploy({ name: 'open-page' });
  const deployLocked = () => deploy({ name: 'locked-page', access: 'password', password: 'p' });
  const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: `/j/${name}/` });

  /** Publishes a jot and opens the jots page. */
  async function openWithOne() {
    const visitor = await signIn(subject);
    await deployOpen();
    await visitor.page.goto(at('/jots'));
    return visitor;
  }

  describe('Jots', () => {
    it('lists jots with their link, access and size', async () => {
      const { page, complaints, settled, close } = await signIn(subject);
      await page.goto(at('/jots'));
      await page.getByText('Nothing is published yet').waitFor();
      await deployOpen();
      await deployLocked();
      await page.reload();
      await row(page, 'open-page').getByText('Anyone with the link').waitFor();
      await row(page, 'open-page').getByText('1 file, 49 B').waitFor();
      await row(page, 'locked-page').getByText('Link and password').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'jots-some');
      await page.getByRole('button', { name: 'Copy link: open-page' }).click();
      await page.getByRole('button', { name: 'Copied: open-page' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(at('/j/open-page/'));
      const opened = page.context().waitForEvent('page');
      await page.getByRole('link', { name: at('/j/open-page/') }).click();
      await (await opened).getByRole('heading', { name: 'Published' }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('publishes a folder and a zip file, shows their versions and rolls back', async () => {
      const { page, complaints, settled, close } = await signIn(subject);
      const { request } = subject.gateway();
      const folder = await mkdtemp(join(tmpdir(), 'site-'));
      await mkdir(join(folder, 'Grüße'));
      const long = `${'long-'.repeat(30)}name.txt`;
      const texts = {
        'index.html': '<h1>Version one</h1>',
        'Grüße/ä.txt': 'ä',
        [long]: 'long',
        '.DS_Store': '',
      };
      for (const [path, text] of Object.entries(texts)) await writeFile(join(folder, path), text);
      const choose = (kind: 'folder' | 'zip', files: Parameters<Locator['setInputFiles']>[0]) =>
        page.locator(kind === 'folder' ? 'input[webkitdirectory]' : 'input[accept]').setInputFiles(files);
      const asZip = (files: Record<string, string>) => ({
        name: 'My Site.zip',
        mimeType: 'application/zip',
        buffer: zip(files),
      });

      await page.goto(at('/jots'));
      await choose('zip', { name: 'broken.zip', mimeType: 'application/zip', buffer: Buffer.from('no zip') });
      await page.getByText('This is not a zip file that can be read.').waitFor();
      await choose('zip', asZip({ 'about.txt': 'no page' }));
      await page.getByText('It needs a file index.html at the top.').waitFor();
      await choose('folder', folder);
      const dialog = page.getByRole('dialog', { name: 'Publish a jot' });
      await dialog.getByText('3 files').waitFor();
      await dialog.getByText('Left out: .DS_Store').waitFor();
      await dialog.getByLabel('Name').fill('No name');
      await dialog.getByRole('button', { name: 'Publish' }).click();
      await dialog.getByText('Use a-z, 0-9 and hyphens').waitFor();
      await dialog.getByLabel('Name').fill('my-site');
      await expectSoundInEveryLook(page, 'jot-publish');
      const small = {
        uploadUrl: at('/j/upload/x'),
        expiresAt: 0,
        maxBytes: 9,
        maxFiles: 9,
        maxUploadBytes: 9,
      };
      await page.route('**/api/jots/my-site/upload', (route) => route.fulfill({ status: 201, json: small }), {
        times: 1,
      });
      await dialog.getByRole('button', { name: 'Publish' }).click();
      await dialog.getByText('It is too large: 26 B, and a jot can have 9 B.').waitFor();
      await dialog.getByRole('button', { name: 'Publish' }).click();
      await page.getByText('my-site is published.').waitFor();
      expect(await (await request('/j/my-site/')).text()).toBe('<h1>Version one</h1>');
      expect(await (await request(`/j/my-site/${encodeURI('Grüße/ä.txt')}`)).text()).toBe('ä');
      expect(await (await request(`/j/my-site/${long}`)).text()).toBe('long');

      await page.getByRole('link', { name: 'my-site', exact: true }).click();
      await page.getByRole('heading', { name: 'my-site', level: 1 }).waitFor();
      await page.getByRole('list', { name: 'Files' }).getByText('Grüße/ä.txt').waitFor();
      // People drop a file on the page or choose it; a script can drop one too.
      const bytes = asZip({ 'My Site/index.html': '<h1>Version two</h1>', '__MACOSX/x': '' }).buffer;
      await page.evaluate(
        `(() => {
          const dataTransfer = new DataTransfer();
          const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (one) => one.charCodeAt(0));
          dataTransfer.items.add(new File([bytes], 'My Site.zip'));
          document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        })()`,
      );
      const next = page.getByRole('dialog', { name: 'Publish a new version of my-site' });
      await next.getByText('1 file, 20 B').waitFor();
      await next.getByRole('button', { name: 'Publish' }).click();
      await page.getByText('my-site is published.').waitFor();
      const versions = page.getByRole('list', { name: 'Versions' });
      await versions.getByRole('listitem').filter({ hasText: 'Version 2' }).getByText('Current').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'jot');
      expect(await (await request('/j/my-site/')).text()).toBe('<h1>Version two</h1>');

      await page.getByRole('button', { name: 'Roll back to version 1' }).click();
      const question = page.getByRole('dialog', { name: 'Roll my-site back to version 1?' });
      await question.getByRole('button', { name: 'Roll back' }).click();
      await page.getByText('Rolled back to version 1.').waitFor();
      expect(await (await request('/j/my-site/')).text()).toBe('<h1>Version one</h1>');
      // Somebody publishes while the page shows an older state.
      await deploy({ name: 'my-site' });
      await page.getByRole('button', { name: 'Roll back to version 2' }).click();
      const late = page.getByRole('dialog', { name: 'Roll my-site back to version 2?' });
      await late.getByRole('button', { name: 'Roll back' }).click();
      await late.getByText('Version 3 of "my-site" is current by now.').waitFor();
      await late.getByRole('button', { name: 'Cancel' }).click();
      await versions.getByRole('heading', { name: 'Version 3' }).waitFor();
      expect(complaints.filter((complaint) => !complaint.includes('status of 4'))).toEqual([]);

      await page.getByRole('button', { name: 'Delete my-site' }).click();
      const last = page.getByRole('dialog', { name: 'Delete my-site?' });
      await last.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Nothing is published yet').waitFor();
      expect((await request('/j/my-site/')).status).toBe(404);
      await rm(folder, { recursive: true });
      await close();
    });

    it('locks a jot with a password, and shows a refused password’s error beside it', async () => {
      const { page, close } = await openWithOne();
      await page.getByRole('button', { name: 'Settings of open-page' }).click();
      const dialog = page.getByRole('dialog', { name: 'Who can see open-page' });
      await dialog.getByRole('radio', { name: 'Link and password' }).check();
      const password = dialog.getByLabel('Password', { exact: true });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Access "password" needs a password').waitFor();
      expect(await password.getAttribute('aria-invalid')).toBe('true');
      await expectSoundInEveryLook(page, 'jot-settings');
      await password.fill('ß'.repeat(37));
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('is longer than 72 bytes').waitFor();
      expect(await password.inputValue()).toBe('ß'.repeat(37));
      await password.fill('for the board');
      await password.press('Enter');
      await page.getByText('Settings of open-page are saved.').waitFor();
      await row(page, 'open-page').getByText('Link and password').waitFor();
      expect((await subject.gateway().request('/j/open-page/')).status).toBe(401);

      // No password was lost, so the jot’s row offers Undo.
      await row(page, 'open-page').getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Settings of open-page are restored.').waitFor();
      expect((await subject.gateway().request('/j/open-page/')).status).toBe(200);
      await close();
    });

    it('warns that opening a jot removes its password, and offers no Undo', async () => {
      const { page, close } = await signIn(subject);
      await deployLocked();
      await page.goto(at('/jots'));
      await page.getByRole('button', { name: 'Settings of locked-page' }).click();
      const dialog = page.getByRole('dialog', { name: 'Who can see locked-page' });
      expect(await dialog.getByRole('checkbox').isDisabled()).toBe(true);
      await dialog.getByRole('radio', { name: 'Anyone with the link' }).check();
      await dialog.getByText('This removes the password').waitFor();
      await dialog.getByRole('checkbox', { name: 'Allow scripts, styles and images' }).check();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Settings of locked-page are saved.').waitFor();
      await row(page, 'locked-page').getByText('CORS on').waitFor();
      expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
      const { headers } = await subject.gateway().request('/j/locked-page/');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      await close();
    });

    it('deletes a jot after a question that says it can’t be undone', async () => {
      const { page, complaints, close } = await openWithOne();
      await page.getByRole('button', { name: 'Delete open-page' }).click();
      const question = page.getByRole('dialog', { name: 'Delete open-page?' });
      await question.getByText('This can’t be undone').waitFor();
      await expectSoundInEveryLook(page, 'jot-delete');
      await question.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Delete open-page' }).click();
      await question.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('open-page is deleted.').waitFor();
      await page.waitForFunction(`${FOCUSED} === 'open-page is deleted.'`);
      expect(await row(page, 'open-page').count()).toBe(0);
      expect((await subject.gateway().request('/j/open-page/')).status).toBe(404);
      expect(complaints).toEqual([]);
      await close();
    });

    it('shows the first jot without a reload', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/jots'));
      await page.getByText('Nothing is published yet').waitFor();
      await deployOpen();
      await row(page, 'open-page').getByText('Anyone with the link').waitFor();
      await close();
    });

    it('shows jots that were published meanwhile when the person returns', async () => {
      const { page, close } = await openWithOne();
      await row(page, 'open-page').waitFor();
      await deployLocked();
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await row(page, 'locked-page').waitFor();
      await close();
    });

    it('deletes a jot that another window has already deleted', async () => {
      const { page, close } = await openWithOne();
      await page.getByRole('button', { name: 'Delete open-page' }).click();
      const { request, session } = subject.gateway();
      const headers = { Authorization: `Bearer ${session}` };
      expect((await request('/api/jots/open-page', { method: 'DELETE', headers })).status).toBe(200);
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('open-page is deleted.').waitFor();
      expect(await row(page, 'open-page').count()).toBe(0);
      await close();
    });

    it('ignores an earlier response that arrives late', async () => {
      const { page, close } = await signIn(subject);
      await deploy({ name: 'one-page' });
      await deployOpen();
      await page.goto(at('/jots'));
      const late = Promise.withResolvers<void>();
      await page.route('**/api/jots/one-page', (route) => late.promise.then(() => route.continue()));
      await page.getByRole('button', { name: 'Delete one-page' }).click();
      const first = page.getByRole('dialog', { name: 'Delete one-page?' });
      await first.getByRole('button', { name: 'Delete' }).click();
      await first.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Delete open-page' }).click();
      const second = page.getByRole('dialog', { name: 'Delete open-page?' });
      await second.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('open-page is deleted.').waitFor();
      late.resolve();
      await page.getByText('one-page is deleted.').waitFor();
      expect(await row(page, 'open-page').count()).toBe(0);
      expect(await row(page, 'one-page').count()).toBe(0);
      await close();
    });

    /** Opens the jots page, where the next change fails once `late` is resolved. */
    async function openFailingLate() {
      const { page, close } = await openWithOne();
      const late = Promise.withResolvers<void>();
      await page.route('**/api/jots/open-page', (route) =>
        late.promise.then(() => route.fulfill({ status: 500, json: { error: 'The disk is full.' } })),
      );
      return { page, late, close };
    }

    it('says that a jot could not be locked, even after the dialog was closed', async () => {
      const { page, late, close } = await openFailingLate();
      await page.getByRole('button', { name: 'Settings of open-page' }).click();
      const dialog = page.getByRole('dialog', { name: 'Who can see open-page' });
      await dialog.getByRole('radio', { name: 'Link and password' }).check();
      await dialog.getByLabel('Password', { exact: true }).fill('for the board');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      late.resolve();
      await row(page, 'open-page').getByText('The disk is full.').waitFor();
      await expectSoundInEveryLook(page, 'jot-settings-failed-late');
      await page.getByRole('button', { name: 'Settings of open-page' }).click();
      await dialog.waitFor();
      expect(await page.getByText('The disk is full.').count()).toBe(0);
      await close();
    });

    it('says that a jot could not be deleted, even after the dialog was closed', async () => {
      const { page, late, close } = await openFailingLate();
      await page.getByRole('button', { name: 'Delete open-page' }).click();
      const question = page.getByRole('dialog', { name: 'Delete open-page?' });
      await question.getByRole('button', { name: 'Delete' }).click();
      await question.getByRole('button', { name: 'Cancel' }).click();
      late.resolve();
      await row(page, 'open-page').getByText('The disk is full.').waitFor();
      await expectSoundInEveryLook(page, 'jot-failed-late');
      await close();
    });
  });
}
