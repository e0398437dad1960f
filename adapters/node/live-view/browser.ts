// The browser of a Node process: Chromium, and behind it the proxy that holds it to public addresses.
import { resolve } from 'node:path';
import { createChromium } from '../../../drivers/browser/chromium.ts';
import type { Config } from '../../../src/config/config.ts';
import { createGuard } from '../../../src/egress/guard.ts';
import type { Browser } from '../../../src/ports/browser.ts';
import type { Network } from '../../../src/ports/network.ts';
import { createEgressProxy } from './egress-proxy.ts';

interface Needs {
  config: Pick<Config, 'CHROMIUM_PATH' | 'CHROMIUM_SANDBOX' | 'DATA_DIR' | 'EGRESS_ALLOW' | 'loopback'>;
  network: Pick<Network, 'resolve'>;
}

/** What fonts, words and times look like; nothing else of the gateway's environment, where its secrets are. */
const PASSED_ON = [
  'PATH',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'FONTCONFIG_FILE',
  'FONTCONFIG_PATH',
  'XDG_DATA_DIRS',
];

export function createNodeBrowser({ config, network }: Needs, env: NodeJS.ProcessEnv): Browser {
  // Where the operator sends the gateway's own calls is no place for a page.
  const proxy = createEgressProxy(createGuard({ config: { ...config, UPSTREAM_MAP: [] }, network }));
  const chromium = createChromium({
    folder: resolve(config.DATA_DIR, 'browsers'),
    path: config.CHROMIUM_PATH,
    sandbox: config.CHROMIUM_SANDBOX,
    environment: Object.fromEntries(
      PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
    ),
    proxy: () => proxy.address(),
  });
  return {
    ...chromium,
    async close() {
      await chromium.close();
      proxy.close();
    },
  };
}
