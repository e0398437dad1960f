// Tests that the page of an integration has its guide, closed until somebody opens it.
import { describe, expect, it } from 'vitest';
import { axeViolations, LOOKS, photograph, scrollsSideways } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

export function itShowsGuides(subject: Subject): void {
  describe.each(LOOKS)('The guide of an integration, $theme, $width', (look) => {
    it('opens below what decides about agents, as headings, lists and code', async () => {
      const { page, complaints, settled, close } = await signIn(subject, look);
      await page.goto(`${subject.gateway().base}/integrations/discord`);
      const summary = page.getByText('Guide for agents');
      await summary.waitFor();
      await settled();
      await photograph(page, `guide-closed-${look.theme}-${look.width}`);
      expect(await page.getByRole('heading', { name: 'Which first' }).count()).toBe(0);
      await summary.click();
      await page.getByRole('heading', { name: 'Which first' }).waitFor();
      await settled();
      expect(await page.locator('.guide-text code').first().innerText()).toBe('discord_list_servers');
      expect(await page.locator('.guide-text').innerText()).not.toMatch(/[`#] /);
      expect(await axeViolations(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      await photograph(page, `guide-${look.theme}-${look.width}`);
      expect(complaints).toEqual([]);
      await close();
    });
  });

  it('is missing where there is none', async () => {
    const { page, settled, close } = await signIn(subject);
    await page.goto(`${subject.gateway().base}/integrations/time`);
    await page.getByRole('heading', { name: 'Time', level: 1 }).waitFor();
    await settled();
    expect(await page.getByText('Guide for agents').count()).toBe(0);
    await close();
  });
}
