// Runs suites on the machine's own Chromium, and skips them where there is none.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describeWith } from './describe-with.ts';

// The shell is the same engine without the program around it, and takes half the processor time.
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

export const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // With site isolation each window starts a third renderer. No test is about it.
  '--disable-site-isolation-trials',
];

export function chromiumPath(): string | undefined {
  return [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((path) => path !== '' && existsSync(path));
}

export function openChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined)
    throw new TypeError('only suites under describeInChromium open a browser');
  return chromium.launch({ executablePath, args: FLAGS });
}

/** Describes a suite that needs a browser. */
export function describeInChromium(name: string, body: () => void): void {
  describeThere(name, body);
}

/**
 * Describes a suite of a person's clicks and keys. The suite gets three tries, because a loaded machine
 * delays the events and the timing is not under test. Never use this for something that must be refused: a
 * single pass is already a failure.
 */
export function describePersonInChromium(name: string, body: () => void): void {
  describeThere(name, body, 2);
}

function describeThere(name: string, body: () => void, retry?: number): void {
  const found = chromiumPath() !== undefined;
  const missing = found ? undefined : 'no Chromium was found; CHROMIUM_PATH names another place';
  describeWith(name, missing, body, { retry });
}
