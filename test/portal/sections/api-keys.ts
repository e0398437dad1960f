// Tests the API key: making, revealing, copying, rotating and deleting it.
import { describe, expect, it } from 'vitest';
import { signIn, type Subject } from './subject.ts';

const CLIPBOARD = 'navigator.clipboard.readText()';

export function itKeepsApiKeys(subject: Subject): void {
  describe('The API key', () => {
    it('hides the API key until it is revealed, and copies the real key', async () => {
      const { page, complaints, close } = await signIn(subject);
      await page.goto(`${subject.gateway().base}/settings`);
      const key = page.getByRole('textbox', { name: 'Your personal key' });
      expect(await key.inputValue()).toMatch(/^•+$/);
      await page.getByRole('button', { name: 'Reveal' }).click();
      await page.getByRole('button', { name: 'Hide' }).waitFor();
      const revealed = await key.inputValue();
      expect(revealed).toMatch(/^[0-9a-f]{64}$/);
      await page.getByRole('button', { name: 'Copy: Your personal key' }).click();
      await page.getByRole('button', { name: 'Copied: Your personal key' }).waitFor();
      expect(await page.evaluate(CLIPBOARD)).toBe(revealed);

      expect(complaints).toEqual([]);
      await close();
    });

    it('asks before it rotates or deletes the key, and makes a new key with one press', async () => {
      const { page, complaints, close } = await signIn(subject);
      await page.goto(`${subject.gateway().base}/settings`);
      const key = page.getByRole('textbox', { name: 'Your personal key' });
      await page.getByRole('button', { name: 'Reveal' }).click();
      await page.getByRole('button', { name: 'Hide' }).waitFor();
      const before = await key.inputValue();

      await page.getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('button', { name: 'Rotate key' }).click();
      await page.getByText('The new key is ready to copy').waitFor();
      await page.getByRole('button', { name: 'Reveal' }).click();
      await page.getByRole('button', { name: 'Hide' }).waitFor();
      expect(await key.inputValue()).not.toBe(before);

      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('button', { name: 'Delete key' }).click();
      await page.getByText('You have no key yet').waitFor();
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('The new key is ready to copy').waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('keeps a key from one window when another window still shows the button to make one', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(`${subject.gateway().base}/settings`);
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('button', { name: 'Delete key' }).click();
      await page.getByText('You have no key yet').waitFor();
      const others = ['/settings'].map(async (path) => {
        const other = await page.context().newPage();
        await other.goto(subject.gateway().base + path);
        await other.getByRole('button', { name: 'Create key' }).waitFor();
        return other;
      });
      const [clients] = await Promise.all(others);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('button', { name: 'Copy: Your personal key' }).click();
      await page.getByRole('button', { name: 'Copied: Your personal key' }).waitFor();
      const made = await page.evaluate(CLIPBOARD);

      await clients?.getByRole('button', { name: 'Create key' }).click();
      await clients?.getByText('The new key is ready to copy').waitFor();
      await page.getByRole('button', { name: 'Copy: Your personal key' }).click();
      await page.getByRole('button', { name: 'Copied: Your personal key' }).waitFor();
      expect(await page.evaluate(CLIPBOARD)).toBe(made);
      await close();
    });

    it('removes a key that another window deleted as soon as the person looks at the page', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(`${subject.gateway().base}/settings`);
      await page.getByRole('button', { name: 'Reveal' }).waitFor();
      await page.route('**/api/keys', (route) => route.fulfill({ json: { hasKey: false } }));
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await page.getByText('You have no key yet').waitFor();
      await close();
    });
  });
}
