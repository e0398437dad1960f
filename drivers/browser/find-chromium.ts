// Finds Chromium, and tells the operator how to install it when it is missing.
import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { BrowserStartFailed } from '../../src/ports/browser.ts';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export const INSTALL_HINT =
  'Install Chromium (Debian, Ubuntu: apt-get install chromium) or set CHROMIUM_PATH to its program.';

/** If the operator names a path, no other path is tried. */
export function findChromium(given: string | undefined): string {
  const places = given === undefined ? PLACES : [given];
  const found = places.find(canRun);
  if (found === undefined)
    throw new BrowserStartFailed(`No browser was found at ${places.join(', ')}. ${INSTALL_HINT}`);
  return found;
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The user agent of the same browser with a window: some sites turn away browsers that say they are headless. */
export async function userAgentOf(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 10_000 }).catch(
    (cause: unknown) => {
      throw new BrowserStartFailed(`${path} does not run. ${INSTALL_HINT}`, { cause });
    },
  );
  const major = /(\d+)\.\d+\.\d+/.exec(stdout)?.[1];
  if (major === undefined) throw new BrowserStartFailed(`${path} is not Chromium. ${INSTALL_HINT}`);
  const system = process.platform === 'darwin' ? 'Macintosh; Intel Mac OS X 10_15_7' : 'X11; Linux x86_64';
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}
