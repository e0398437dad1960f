// The browser port on Chromium of this machine: a process for each user.
import type { Browser } from '../../src/ports/browser.ts';
import { findChromium, userAgentOf } from './find-chromium.ts';
import { createPerPerson, type PerPersonOptions } from './per-person.ts';
import { prepareProfile } from './profile.ts';
import { openSession } from './session.ts';

export interface ChromiumOptions extends Omit<PerPersonOptions, 'open'> {
  /** The path of Chromium, if the operator has set one. */
  path?: string | undefined;
  /** Off only where the system cannot sandbox Chromium. */
  sandbox: boolean;
  /** The environment variables that the browser may see. */
  environment: Record<string, string>;
  /** Returns host:port of the proxy for all requests of the browser. Called when a browser starts. */
  proxy: () => Promise<string>;
}

export function createChromium({ path, sandbox, environment, proxy, ...others }: ChromiumOptions): Browser {
  let userAgent: Promise<string> | null = null;
  return createPerPerson({
    ...others,
    async open(profile, name) {
      const found = findChromium(path);
      userAgent ??= userAgentOf(found);
      userAgent.catch(() => (userAgent = null));
      const launch = {
        path: found,
        profile,
        userAgent: await userAgent,
        sandbox,
        environment,
        proxy: await proxy(),
      };
      await prepareProfile(profile);
      return openSession(launch, name);
    },
  });
}
