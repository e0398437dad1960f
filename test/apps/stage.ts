// Shows apps in a real browser: serves the host page and, at another origin, the frame in which pages of others run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import { openChromium } from '../support/chromium.ts';
import { startHttpServer } from '../support/http-server.ts';

const FOLDER = import.meta.dirname;
const HOST_PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Host</title><style>body{margin:0}iframe{display:block;width:100%;height:300px;border:0}</style><main></main><script type="module" src="/host.js"></script></html>';

/** Relays messages between the host and the page. The page inherits the policy of this document. */
const SANDBOX = `<!doctype html><meta charset="utf-8"><style>html,body{margin:0;height:100%}iframe{display:block;width:100%;height:100%;border:0}</style>
<script>
const host = window.parent;
const inner = document.createElement('iframe');
inner.title = 'Page';
inner.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
document.documentElement.append(inner);
addEventListener('message', ({ source, data }) => {
  if (source === inner.contentWindow) return host.postMessage(data, '*');
  if (source !== host) return;
  if (data.method !== 'ui/notifications/sandbox-resource-ready') return inner.contentWindow.postMessage(data, '*');
  const page = inner.contentDocument;
  page.open();
  page.write(data.params.html);
  page.close();
});
host.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*');
</script>`;

type Csp = Partial<
  Record<'connectDomains' | 'resourceDomains' | 'frameDomains' | 'baseUriDomains', string[]>
>;

/** The policy that a host makes of what a page declares. SEP-1865, Content Security Policy Enforcement */
function policyOf({ connectDomains, resourceDomains, frameDomains, baseUriDomains }: Csp): string {
  const of = (domains: readonly string[] = []) => domains.join(' ');
  return [
    `default-src 'none'`,
    `script-src 'self' 'unsafe-inline' ${of(resourceDomains)}`,
    `style-src 'self' 'unsafe-inline' ${of(resourceDomains)}`,
    `img-src 'self' data: ${of(resourceDomains)}`,
    `font-src 'self' ${of(resourceDomains)}`,
    `media-src 'self' data: ${of(resourceDomains)}`,
    connectDomains === undefined || connectDomains.length === 0
      ? `connect-src 'none'`
      : `connect-src 'self' ${of(connectDomains)}`,
    `frame-src ${frameDomains === undefined || frameDomains.length === 0 ? `'none'` : of(frameDomains)}`,
    `object-src 'none'`,
    `base-uri ${baseUriDomains === undefined || baseUriDomains.length === 0 ? `'self'` : of(baseUriDomains)}`,
  ].join('; ');
}

export interface Shown {
  page: Page;
  /** The page of the tool. */
  app: FrameLocator;
  /** What the host has given on, opened and refused. */
  seen(): Promise<{ calls: string[]; links: string[]; refused: string[] }>;
  /** What the browser has refused or could not do. */
  errors: string[];
  /** The requests that left the page, beside those to the host, the sandbox and the gateway. */
  outside: string[];
  close(): Promise<void>;
}

interface Connection {
  address: string;
  headers: Record<string, string>;
  mode?: 'legacy' | 'auto';
}
interface View {
  name: string;
  args?: object;
  theme?: 'light' | 'dark';
  opensLinks?: boolean;
  callsTools?: boolean;
}

export interface Stage {
  /** The origin of the host page. */
  origin: string;
  open(viewport?: { width: number; height: number }): Promise<Shown>;
  connect(shown: Shown, connection: Connection): Promise<{ version: string; forModel: string[] }>;
  show(shown: Shown, view: View): Promise<{ csp: object; text?: string }>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, 'host.mjs')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  const [script] = outputFiles;
  const host = await startHttpServer((request, response) => {
    const isScript = request.url === '/host.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? script?.text : HOST_PAGE);
  });
  const frame = await startHttpServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://sandbox');
    // The host page writes what the gateway has said.
    const csp = JSON.parse(searchParams.get('csp') ?? '{}') as Csp;
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policyOf(csp) });
    response.end(SANDBOX);
  });
  const origin = `http://localhost:${host.port}`;
  const sandbox = `http://127.0.0.1:${frame.port}/`;
  const browser = await openChromium();
  const contexts: BrowserContext[] = [];

  return {
    origin,

    async open(viewport = { width: 800, height: 700 }) {
      const context = await browser.newContext({ viewport });
      contexts.push(context);
      const page = await context.newPage();
      const errors: string[] = [];
      const outside: string[] = [];
      page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
      page.on('pageerror', (error) => void errors.push(error.message));
      page.on('request', (request) => {
        const { hostname } = new URL(request.url());
        if (!['localhost', '127.0.0.1', ''].includes(hostname)) outside.push(request.url());
      });
      await page.goto(`${origin}/`);
      await page.waitForFunction(() => 'host' in window);
      const app = page.frameLocator('iframe').frameLocator('iframe');
      const seen = () =>
        page.evaluate<Awaited<ReturnType<Shown['seen']>>>(
          '({ ...window.host, bridge: undefined, connect: undefined, show: undefined })',
        );
      return { page, app, seen, errors, outside, close: () => context.close() };
    },

    connect: ({ page }, { mode = 'auto', ...connection }) =>
      page.evaluate(`window.host.connect(${JSON.stringify({ mode, ...connection })})`),
    show: ({ page }, view) => page.evaluate(`window.host.show(${JSON.stringify({ sandbox, ...view })})`),

    async close() {
      for (const context of contexts) await context.close();
      await host.close();
      await frame.close();
    },
  };
}

/** Why the package and its example servers cannot be used here. */
export function whyNoApps(): string | undefined {
  try {
    readFileSync(join(FOLDER, 'node_modules/@modelcontextprotocol/ext-apps/package.json'));
    return undefined;
  } catch {
    return '`npm run apps` has not installed the package for MCP Apps and its servers';
  }
}
