// Tests MediaWiki connected in the live view, by what its pages look like, and then used by a tool.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInChromium } from '../support/chromium.ts';
import {
  createViewer,
  type LiveGateway,
  openLiveGateway,
  type Stream,
  type Viewer,
} from '../support/live-viewer.ts';
import { call } from '../support/mcp.ts';
import {
  describeWithMediawiki,
  startMediawiki,
  type Wiki,
  WIKI_PASSWORD,
  WIKI_USER,
} from '../support/real-mediawiki.ts';
import type { TestUser } from '../support/test-app.ts';

describeWithMediawiki('a real MediaWiki', () =>
  describeInChromium('in the live view', () => {
    let wiki: Wiki;
    let gateway: LiveGateway;
    let ana: TestUser;
    let viewer: Viewer;
    let stream: Stream;

    beforeAll(async () => {
      wiki = await startMediawiki();
      gateway = await openLiveGateway();
      ana = await gateway.app.user();
      viewer = createViewer(gateway, ana, '/api/auth/cookie/mediawiki/cdp');
    });
    afterAll(async () => {
      await gateway?.close();
      await wiki?.stop();
    });

    const request = async (method: string, path: string, body?: object) => {
      const headers = { ...ana.sessionHeader, 'content-type': 'application/json' };
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await gateway.app.request(path, { method, headers, ...init })).json() as Promise<
        Record<string, unknown>
      >;
    };
    /** Tab moves from field to field, as for a person without a mouse. */
    const tab = async () => {
      const key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };
      await viewer.ask(stream, 'Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
      await viewer.ask(stream, 'Input.dispatchKeyEvent', { type: 'keyUp', ...key });
    };
    const focused = (autocomplete: string) =>
      stream.wait(
        ({ method, params }) => method === 'LiveView.focus' && params.field?.autocomplete === autocomplete,
        `the focus on ${autocomplete}`,
      );

    it("signs in through an agent's link, and a tool edits a page with that session", async () => {
      const asked = await call(gateway.app, ana.keyHeader, 'connect', { integration: 'mediawiki' });
      const waiting = call(gateway.app, ana.keyHeader, 'wait_for_connection', {
        connectionId: asked.connectionId,
      });
      const token = new URL(asked.url).searchParams.get('t');
      stream = await viewer.open();
      const begun = await request('POST', '/api/connect/redeem', { token, instanceUrl: wiki.url });
      expect(begun).toMatchObject({ loginUrl: `${wiki.url}/index.php?title=Special:UserLogin` });
      await viewer.ask(stream, 'Page.enable');

      // MediaWiki puts the cursor into its first field.
      await focused('username');
      await viewer.ask(stream, 'Input.insertText', { text: WIKI_USER });
      await tab();
      await focused('current-password');
      await viewer.ask(stream, 'Input.insertText', { text: WIKI_PASSWORD });
      const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' };
      await viewer.ask(stream, 'Input.dispatchKeyEvent', { type: 'keyDown', ...enter });
      await stream.wait(
        ({ method, params }) =>
          method === 'Target.targetInfoChanged' && params.targetInfo.url.endsWith('Main_Page'),
        'the main page',
      );

      expect(await request('POST', '/api/connect/capture', { token })).toMatchObject({ success: true });
      expect(await waiting).toEqual({ status: 'CONNECTED' });
      await viewer.post('detach');
      const title = 'Written by a tool';
      const { results } = await call(gateway.app, ana.keyHeader, 'execute_tools', {
        executions: [
          { tool: 'mediawiki_edit_page', args: { title, text: 'It was signed in to by a person.' } },
        ],
      });
      expect(results).toMatchObject([{ result: { result: 'Success', title } }]);
      const again = await call(gateway.app, ana.keyHeader, 'execute_tools', {
        executions: [{ tool: 'mediawiki_whoami', args: {} }],
      });
      expect(again.results).toMatchObject([{ result: { name: WIKI_USER } }]);
    }, 60_000);
  }),
);
