// Tests files in the explorer: choosing one for an argument, and downloading one from a result.
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectSoundInEveryLook, FRAME } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

const REFERENCE = /^file:f-[0-9a-z]+-[0-9a-z]+-[0-9a-f]{32}$/;
const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31 + (index >> 8)) % 256));

export function itMovesFiles(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;
  const picker = (page: Page) => page.locator('input[type=file]');
  const chooseButton = (page: Page, name: string) =>
    page.getByRole('button', { name: `Choose a file: ${name}` });

  const chosen = (page: Page, words: string) => page.getByRole('status').getByText(words, { exact: true });

  async function openTool(tool: string) {
    const visitor = await signIn(subject);
    await visitor.page.goto(at(`/tools?tool=${tool}`));
    await visitor.page.getByRole('button', { name: 'Run' }).waitFor();
    return visitor;
  }

  /** Keeps every upload waiting. */
  async function holdUploads(page: Page): Promise<void> {
    await page.route('**/f/*', () => {
      // This request gets no response.
    });
  }

  /** Drops files onto the field as a person does from the desktop. */
  async function drop(page: Page, names: readonly string[]): Promise<void> {
    const dataTransfer = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      for (const name of ${JSON.stringify(names)}) transfer.items.add(new File(['dropped'], name));
      return transfer;
    })()`);
    await page.locator('.file-picker').dispatchEvent('drop', { dataTransfer });
  }

  async function folder(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'gateway-chosen-'));
    onTestFinished(() => rm(path, { recursive: true }));
    return path;
  }

  describe('Files in the explorer', () => {
    it('uploads a chosen file for an argument, and downloads the same bytes from the result', async () => {
      const { page, complaints, close } = await openTool('get_file');
      const path = join(await folder(), 'Grüße & more.bin');
      await writeFile(path, BYTES);
      // The keyboard opens the file dialog too.
      const dialog = page.waitForEvent('filechooser');
      await chooseButton(page, 'file').focus();
      await page.keyboard.press('Enter');
      await (await dialog).setFiles(path);
      await chosen(page, 'Grüße & more.bin, 300.0 kB').waitFor();
      expect(await page.getByRole('textbox', { name: 'file' }).inputValue()).toMatch(REFERENCE);
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Choose a file');

      await page.getByRole('button', { name: 'Run' }).click();
      const row = page.getByRole('list', { name: 'Files in the result' }).getByRole('listitem');
      await row.getByText('300.0 kB, application/octet-stream').waitFor();
      await expectSoundInEveryLook(page, 'tools-file');
      const downloading = page.waitForEvent('download');
      await row.getByRole('link', { name: 'Download: Grüße & more.bin' }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe('Grüße & more.bin');
      expect((await readFile(await download.path())).equals(BYTES)).toBe(true);
      expect(complaints).toEqual([]);

      // The field still says which file it holds after a look at another tool.
      await page.getByRole('link', { name: /time_now/ }).click();
      await page.getByRole('link', { name: /^get_file / }).click();
      await chosen(page, 'Grüße & more.bin, 300.0 kB').waitFor();
      await close();
    });

    it('adds chosen and dropped files to a list, and publishes them', async () => {
      const { page, complaints, close } = await openTool('deploy_jot');
      const text = (name: string, content: string) => ({
        name,
        mimeType: 'text/plain',
        buffer: Buffer.from(content),
      });
      await page.getByRole('button', { name: /optional arguments$/ }).click();
      await page.getByRole('textbox', { name: /^name/ }).fill('chosen-files');
      await picker(page).setInputFiles([text('index.html', '<h1>Chosen</h1>'), text('a.txt', 'a')]);
      await chosen(page, 'a.txt, 1 B').waitFor();
      await page.getByRole('button', { name: 'Add files: files' }).waitFor();
      await drop(page, ['b.txt']);
      await chosen(page, 'b.txt, 7 B').waitFor();
      await chosen(page, 'index.html, 15 B').waitFor();
      const file: unknown = expect.stringMatching(REFERENCE);
      expect(JSON.parse(await page.getByLabel('files', { exact: true }).inputValue())).toEqual([
        { path: 'index.html', file },
        { path: 'a.txt', file },
        { path: 'b.txt', file },
      ]);
      await expectSoundInEveryLook(page, 'tools-files');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Succeeded').waitFor();
      expect(await (await fetch(at('/j/chosen-files/b.txt'))).text()).toBe('dropped');

      await page.getByLabel('files', { exact: true }).fill('[{');
      await picker(page).setInputFiles(text('c.txt', 'c'));
      await page.getByText('c.txt: Correct this list first, then choose the file again.').waitFor();
      expect(await page.getByLabel('files', { exact: true }).inputValue()).toBe('[{');
      expect(complaints).toEqual([]);
      await close();
    });

    it('says why a file is refused, and keeps what the field held', async () => {
      const { page, close } = await openTool('get_file');
      const large = join(await folder(), 'large.iso');
      const handle = await open(large, 'w');
      // The file takes no space on the disk.
      await handle.truncate(513 * 1024 * 1024);
      await handle.close();
      const field = page.getByRole('textbox', { name: 'file' });
      await field.fill('file:kept');
      await picker(page).setInputFiles(large);
      await page.getByRole('status').getByText('large.iso: A file may have up to 512 MiB').waitFor();
      await expectSoundInEveryLook(page, 'tools-file-refused');
      await picker(page).setInputFiles({ name: 'empty', mimeType: '', buffer: Buffer.from('') });
      await page.getByText('empty: This file is empty.').waitFor();
      expect(await field.inputValue()).toBe('file:kept');
      await close();
    });

    it('shows a running upload, does not run the tool without the file, and cancels', async () => {
      const { page, close } = await openTool('get_file');
      await holdUploads(page);
      await drop(page, ['held.txt', 'second.txt']);
      await page.getByRole('progressbar', { name: 'Uploading held.txt, 7 B' }).waitFor();
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Wait until the file is uploaded.').waitFor();
      await expectSoundInEveryLook(page, 'tools-file-uploading');
      await page.getByRole('button', { name: 'Cancel: file' }).click();
      await page.getByText('Upload cancelled.').waitFor();
      await page.evaluate(FRAME);
      expect(await page.getByText('Wait until the file is uploaded.').count()).toBe(0);
      expect(await page.getByRole('textbox', { name: 'file' }).inputValue()).toBe('');
      await page.unroute('**/f/*');
      await drop(page, ['again.txt']);
      await chosen(page, 'again.txt, 7 B').waitFor();
      await close();
    });
  });
}
