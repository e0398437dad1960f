// Imports example servers of MCP Apps, and drives each page in a real browser, by a host on the official package. What a page
// calls goes through the gateway's audit.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeInChromium } from '../support/chromium.ts';
import { describeWith } from '../support/describe-with.ts';
import {
  type Banner,
  type Gateway,
  openSite,
  type Program,
  runProgram,
  type Site,
} from '../support/gateway-process.ts';
import { freePort } from '../support/listen.ts';
import { waitUntil } from '../support/wait.ts';
import { openStage, type Shown, type Stage, whyNoApps } from './stage.ts';

interface Example {
  server: string;
  /** The tool that shows the page, as a model calls it. */
  tool: string;
  args?: object;
  /** Drives the page until it has called a tool, and waits for what it shows then. */
  drive(shown: Shown): Promise<void>;
  /** The tool that the page calls, as the audit names it. */
  called: string;
  /** A tool that no model may be shown. */
  hidden?: string;
}

const EXAMPLES: Example[] = [
  {
    server: 'basic-vanillajs',
    tool: 'vanilla_get_time',
    called: 'vanilla_get_time',
    async drive({ app }) {
      await app.locator('#get-time-btn').click();
    },
  },
  {
    server: 'cohort-heatmap',
    tool: 'cohort_get_cohort_data',
    called: 'cohort_get_cohort_data',
    async drive({ app }) {
      await app.locator('select').first().selectOption({ index: 1 });
      await app
        .getByText(/cohort/i)
        .first()
        .waitFor();
    },
  },
  {
    server: 'debug',
    tool: 'debug_tool',
    called: 'debug_refresh',
    hidden: 'debug_refresh',
    async drive({ app }) {
      await app.locator('#call-debug-refresh-btn').click();
    },
  },
  {
    server: 'system-monitor',
    tool: 'monitor_get_system_info',
    called: 'monitor_poll_system_stats',
    hidden: 'monitor_poll_system_stats',
    async drive({ app }) {
      // It begins by itself, so the first click stops it.
      for (let click = 0; click < 2; click++) await app.locator('#poll-toggle-btn').click();
    },
  },
  {
    server: 'wiki-explorer',
    tool: 'wiki_get_first_degree_links',
    args: { url: 'https://en.wikipedia.org/wiki/Model_Context_Protocol' },
    called: 'wiki_get_first_degree_links',
    async drive({ app }) {
      await app.locator('#reset-graph').click();
    },
  },
];

const ERAS = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', 'auto'],
] as const;

describeWith('the example servers of MCP Apps', whyNoApps(), () => {
  describeInChromium('in a browser', () => {
    let site: Site;
    let gateway: Gateway & Banner;
    let stage: Stage;
    const servers: Program[] = [];

    const send = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${gateway.session}`, 'content-type': 'application/json' };
      const response = await gateway.request(path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return response.json();
    };
    const audited = async (tool: string): Promise<number> => {
      const { entries } = await send('GET', '/api/audit?limit=200');
      return entries.filter((entry: { tool: string }) => entry.tool === tool).length;
    };

    beforeAll(async () => {
      site = await openSite();
      gateway = await site.start();
      stage = await openStage();
    });
    afterAll(async () => {
      await stage.close();
      for (const server of servers) server.signal('SIGKILL', 'group');
      await site.close();
    });

    async function start(server: string, name: string): Promise<void> {
      const port = await freePort();
      const file = `${import.meta.dirname}/node_modules/@modelcontextprotocol/server-${server}/dist/index.js`;
      const program = runProgram(['node', file], { PORT: String(port) });
      servers.push(program);
      await program.says('listening');
      const added = await send('POST', '/api/imports', { name, address: `http://localhost:${port}/mcp` });
      expect(added.warnings).toEqual([]);
      const shown = added.tools.filter(({ onlyForApp }: { onlyForApp?: true }) => onlyForApp !== true);
      const made = await send('POST', '/api/sets', {
        name,
        tools: shown.map((tool: { name: string }) => tool.name),
      });
      expect(made.name).toBe(name);
    }

    describe.each(EXAMPLES)('$server', ({ server, tool, args = {}, called, drive, hidden }) => {
      const [name = ''] = tool.split('_');
      let shown: Shown;
      beforeAll(() => start(server, name));
      beforeEach(async () => {
        shown = await stage.open();
      });
      afterEach(() => shown.close());

      it.each(ERAS)(
        'shows its page in the era of %s, and what the page calls is in the audit',
        async (version, mode) => {
          const headers = { 'x-service-api-key': gateway.apiKey };
          const connected = await stage.connect(shown, {
            address: `${gateway.base}/mcp/sets/${name}`,
            headers,
            mode,
          });
          expect(connected.version).toBe(version);
          expect(connected.forModel).toContain(tool);
          if (hidden !== undefined) expect(connected.forModel).not.toContain(hidden);
          await stage.show(shown, { name: tool, args });
          const before = await audited(called);
          await drive(shown);
          await waitUntil(
            `${called} is in the audit again`,
            async () => (await audited(called)) > before,
            () => shown.errors,
          );
          expect((await shown.seen()).refused).toEqual([]);
          expect(shown.outside).toEqual([]);
          if (process.env['SCREENSHOTS'] === '1')
            await shown.page.screenshot({ path: `screenshots/app-${server}-${version}.png` });
        },
      );
    });
  });
});
