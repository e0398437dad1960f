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
  describeThere(name, body);
}

/**
 * The same for a person's clicks and keys: what a loaded machine makes of their moments is not what the test is about,
 * so it has three tries, each from its own start. Never for what is to be refused: once let through is too often.
 */
export function describePersonInChromium(name: string, body: () => void): void {
  describeThere(name, body, 2);
}

function describeThere(name: string, body: () => void, retry?: number): void {
  const found = chromiumPath() !== undefined;
  const missing = found ? undefined : 'no Chromium was found; CHROMIUM_PATH names another place';
  describeWith(name, missing, body, retry);
}
