// Measures what the pages of a fresh and of a filled gateway cost, and when a person can use them.
import type { Browser, Page } from 'playwright-core';
import { openChromium } from '../support/chromium.ts';
import { type Banner, type Gateway, openSite } from '../support/gateway-process.ts';
import type { Row } from './main.ts';

type Subject = Gateway & Banner;

const IMPORTS = 50;
const TOOLS_EACH = 8;
const CALLS = 5_000;
const AT_ONCE = 8;
const SLOW_CPU = 4;
/** Slow 4G, as the developer tools of browsers had it. */
const SLOW_4G = {
  offline: false,
  latency: 562,
  downloadThroughput: 1_440_000 / 8,
  uploadThroughput: 675_000 / 8,
};
const FRESH_BAR_MS = 2_500;
const FILLED_BAR_MS = 4_000;
/** With words that stand there once a person can use the page. */
const FILLED: readonly [name: string, path: string, words: string][] = [
  ['Overview', '/overview', 'Top agents'],
  ['Integrations', '/integrations', 'Service 49'],
  ['Tools', '/tools', 'time_now'],
  ['Activity', '/activity', 'Nightly job'],
  ['GitHub', '/integrations/github', 'github_list_repositories'],
  ['Approvals', '/approvals', 'Nothing to approve'],
  ['Agents', '/agents', 'Nightly job'],
];

export async function portalPageRows(): Promise<Row[]> {
  const site = await openSite();
  const [browser, gateway] = await Promise.all([openChromium(), site.start({ command: ['npm', 'start'] })]);
  try {
    const rows = [await measure(browser, gateway, 'fresh, home', '/', 'What time is it?', FRESH_BAR_MS)];
    await fill(gateway);
    for (const [name, path, words] of FILLED)
      rows.push(await measure(browser, gateway, `filled, ${name}`, path, words, FILLED_BAR_MS));
    return rows;
  } finally {
    await Promise.all([browser.close(), site.close()]);
  }
}

interface Visit {
  usable: number;
  bytes: number;
  requests: number;
  elements: number;
}

async function measure(
  browser: Browser,
  gateway: Subject,
  name: string,
  path: string,
  words: string,
  bar: number,
): Promise<Row> {
  const quick = await open(browser, gateway, path, words, false);
  const slow = await open(browser, gateway, path, words, true);
  const kilobytes = (quick.bytes / 1000).toFixed(0);
  return {
    work: `portal, ${name}: cold, on loopback and over slow 4G with a CPU slowed ${SLOW_CPU} times`,
    measured: `${seconds(quick.usable)}, ${seconds(slow.usable)}; ${kilobytes} kB in ${quick.requests} requests, ${quick.elements.toLocaleString('en')} elements`,
    bar: `≤ ${seconds(bar)} over slow 4G`,
    holds: slow.usable <= bar,
  };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

async function open(
  browser: Browser,
  gateway: Subject,
  path: string,
  words: string,
  isSlow: boolean,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  let bytes = 0;
  let requests = 0;
  await devtools.send('Network.enable');
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  if (isSlow) {
    await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU });
  }
  await page.goto(`${gateway.base}${path}#token=${gateway.session}`, { waitUntil: 'commit' });
  const usable = await untilUsable(page, words);
  const elements = await page.evaluate<number>("document.querySelectorAll('*').length");
  await context.close();
  return { usable, bytes, requests, elements };
}

/** The page has its data and these words, and answers with a frame. Its own clock tells when. */
async function untilUsable(page: Page, words: string): Promise<number> {
  await page.locator('main h1').first().waitFor();
  for (;;) {
    const at = await page.evaluate<number | null>(
      `new Promise((done) => requestAnimationFrame((now) =>
        done(document.querySelector('.skeleton') === null && document.querySelector('main').innerText.includes(${JSON.stringify(words)}) ? now : null)))`,
    );
    if (at !== null) return at;
  }
}

/** 50 imports of a person, which is as many as one may have, and calls of five tools by two agents. */
async function fill(gateway: Subject): Promise<void> {
  for (let index = 0; index < IMPORTS; index++) {
    const paths = Object.fromEntries(
      Array.from({ length: TOOLS_EACH }, (_, at) => [
        `/things${at}`,
        { get: { operationId: `listThings${at}`, summary: `List the things of kind ${at}`, responses: {} } },
      ]),
    );
    const document = JSON.stringify({
      openapi: '3.1.0',
      info: { title: `Service ${index}`, version: '1' },
      servers: [{ url: `https://service-${index}.example.com` }],
      paths,
    });
    const name = `service_${index}`;
    await send(gateway, '/api/imports', { document, name, displayName: `Service ${index}` });
  }
  const { key } = await send(gateway, '/api/agent-keys', { name: 'Nightly job' });
  const keys = [gateway.apiKey, String(key)];
  let left = CALLS;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) {
        const isWrong = left % 20 === 0;
        const answer = await gateway.request('/rest/time', {
          method: 'POST',
          headers: { 'x-service-api-key': keys[left % 2] ?? '', 'content-type': 'application/json' },
          body: JSON.stringify({ tool: 'time_now', args: isWrong ? { timezone: 'Nowhere' } : {} }),
        });
        await answer.arrayBuffer();
      }
    }),
  );
}

async function send(gateway: Subject, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await gateway.request(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.session}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
