// The browsers of a Node process: Chromium, behind a proxy that lets it reach only public addresses, and Chromium without
// any network for pictures.
import { resolve } from 'node:path';
import { createChromiumCamera } from '../../../drivers/browser/camera.ts';
import { createChromium } from '../../../drivers/browser/chromium.ts';
import type { Config } from '../../../src/config/config.ts';
import { createGuard } from '../../../src/egress/guard.ts';
import type { Browser } from '../../../src/ports/browser.ts';
import type { Camera } from '../../../src/ports/camera.ts';
import type { Network } from '../../../src/ports/network.ts';
import { createEgressProxy } from './egress-proxy.ts';

interface Needs {
  config: Pick<Config, 'CHROMIUM_PATH' | 'CHROMIUM_SANDBOX' | 'DATA_DIR' | 'EGRESS_ALLOW' | 'loopback'>;
  network: Pick<Network, 'resolve'>;
}

/**
 * The variables for fonts, language and time zone. No other variable is passed on, because the gateway's
 * environment holds secrets.
 */
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
  // Pages may not use the operator's address mapping for the gateway's own calls.
  const proxy = createEgressProxy(createGuard({ config: { ...config, UPSTREAM_MAP: [] }, network }));
  const chromium = createChromium({
    folder: resolve(config.DATA_DIR, 'browsers'),
    path: config.CHROMIUM_PATH,
    sandbox: config.CHROMIUM_SANDBOX,
    environment: environmentOf(env),
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

/** Returns null where the operator wants no pictures of jots. */
export function createNodeCamera(
  config: Pick<Config, 'CHROMIUM_PATH' | 'CHROMIUM_SANDBOX' | 'JOT_THUMBNAILS'>,
  env: NodeJS.ProcessEnv,
): Camera | null {
  if (!config.JOT_THUMBNAILS) return null;
  const { CHROMIUM_PATH: path, CHROMIUM_SANDBOX: sandbox } = config;
  return createChromiumCamera({ path, sandbox, environment: environmentOf(env) });
}

function environmentOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}
