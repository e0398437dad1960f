// Tests that the session token is only in local storage and in one header.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { visit } from '../visit.ts';
import { DESKTOP, signIn, type Subject } from './subject.ts';

const FIRST_PAGE_BYTES = 64_500;

export function itKeepsSecrets(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  describe('The session', () => {
    it('leaves the token in no address after the load, in no referrer and in no log', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      const { portalLink, session, output } = subject.gateway();
      const seen: string[] = [];
      page.on('request', (request) => {
        const { authorization: _, ...headers } = request.headers();
        seen.push(`${request.url()} ${JSON.stringify(headers)} ${request.postData() ?? ''}`);
      });
      page.on('framenavigated', (frame) => {
        // Only the opened address carries the token.
        if (frame.url() !== portalLink) seen.push(frame.url());
      });
      await page.goto(portalLink);
      await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
      for (const name of ['Tools', 'Activity', 'Agents', 'Jots', 'Connect an agent']) {
        await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
        await page.getByRole('heading', { name, level: 1 }).waitFor();
        seen.push(page.url());
      }
      // Opens another site, which records the referrer that the browser sends.
      await page.route('https://elsewhere.example/**', (route) => route.fulfill({ body: 'Hello.' }));
      await page.evaluate("location.assign('https://elsewhere.example/')");
      await page.waitForURL('https://elsewhere.example/');
      seen.push(await page.evaluate<string>('document.referrer'));
      await page.goBack();
      await page.getByRole('heading', { name: 'Connect an agent', level: 1 }).waitFor();
      seen.push(page.url(), await page.evaluate<string>('document.referrer'));

      const [, signature = ''] = /\.([^.]+)$/.exec(session) ?? [];
      expect(signature.length).toBeGreaterThan(20);
      expect(seen.length).toBeGreaterThan(20);
      expect(seen.filter((each) => each.includes(signature))).toEqual([]);
      expect(seen.some((each) => each.includes('"referer"') && each.includes('elsewhere'))).toBe(false);
      // The printed link comes before the log lines.
      const log = output.stdout.slice(output.stdout.indexOf('"listening"')) + output.stderr;
      expect(log.includes(signature)).toBe(false);
      await close();
    });

    it('returns the person to the same page after the session expired', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/integrations/grafana'));
      await page.getByRole('heading', { name: 'Grafana', level: 1 }).waitFor();
      const connect = page.getByRole('button', { name: 'Connect', exact: true });
      await connect.waitFor();
      // In one step: a request of the page itself between the two would end the session before the click.
      await connect.evaluate((button: HTMLElement) => {
        localStorage.setItem('svc_token', 'expired');
        button.click();
      });
      await page.getByText('Your session has ended').waitFor();
      await page.goto(subject.gateway().portalLink);
      await page.getByRole('heading', { name: 'Grafana', level: 1 }).waitFor();
      expect(page.url()).toBe(at('/integrations/grafana'));
      await close();
    });
  });

  describe('What is delivered', () => {
    it('delivers small files, caches hashed files forever, and sends a policy without exceptions', async () => {
      const { page, settled, close } = await visit(subject.browser(), DESKTOP);
      const scripts = new Map<string, Buffer>();
      page.on('response', async (response) => {
        if (new URL(response.url()).pathname.endsWith('.js'))
          scripts.set(new URL(response.url()).pathname, await response.body());
      });
      const index = await page.goto(subject.gateway().portalLink);
      await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
      await settled();
      const first = [...scripts.values()].reduce((sum, body) => sum + gzipSync(body).length, 0);
      expect(first).toBeGreaterThan(0);
      expect(first).toBeLessThanOrEqual(FIRST_PAGE_BYTES);
      const before = scripts.size;
      await page.getByRole('link', { name: 'Tools', exact: true }).click();
      await page.getByRole('searchbox').waitFor();
      // The explorer loads on demand.
      expect(scripts.size).toBeGreaterThan(before);

      for (const path of scripts.keys()) {
        expect(path).toMatch(/^\/assets\/[\w-]+-[\w-]{8}\.js$/);
        const { headers } = await subject.gateway().request(path);
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      }
      const headers = index?.headers() ?? {};
      expect(headers['cache-control']).toBe('no-cache');
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(await index?.text()).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
      // The page is not painted before the theme is known.
      expect(await index?.text()).toContain('<script type="module" blocking="render"');
      await close();
    });
  });
}
