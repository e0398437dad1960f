// The machine's own Chromium for suites that look at pages, and what happens where there is none.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describe, it } from 'vitest';

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

/** `describe` where there is a Chromium; else one line, or with REQUIRE_SERVICES=1 a failure. */
export function describeInChromium(name: string, body: () => void): void {
  if (chromiumPath() !== undefined) {
    describe(name, body);
  } else if (process.env['REQUIRE_SERVICES'] === '1') {
    it(`${name}: there is a Chromium`, () => {
      throw new Error('no Chromium was found, and REQUIRE_SERVICES=1; CHROMIUM_PATH names another place');
    });
  } else {
    process.stderr.write(`SKIPPED ${name}: no Chromium was found; CHROMIUM_PATH names another place\n`);
    describe.skip(name, () => it('needs a Chromium'));
  }
}
