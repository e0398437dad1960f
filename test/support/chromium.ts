// The machine's own Chromium for suites that look at pages, and what happens where there is none.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describeWith } from './describe-with.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function chromiumPath(): string | undefined {
  return [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((path) => path !== '' && existsSync(path));
}

export function openChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined)
    throw new TypeError('only suites under describeInChromium open a browser');
  return chromium.launch({ executablePath, args: FLAGS });
}

/** A suite that looks at pages. */
export function describeInChromium(name: string, body: () => void): void {
  const found = chromiumPath() !== undefined;
  describeWith(name, found ? undefined : 'no Chromium was found; CHROMIUM_PATH names another place', body);
}
