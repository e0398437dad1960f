// The browsers of a Node process: Chromium, behind a proxy that lets it reach only public addresses, and Chromium without
// any network for pictures.
import { resolve } from 'node:path';
import { createChromiumCamera } from '../../../drivers/browser/camera.ts';
import { createChromium } from '../../../drivers/browser/chromium.ts';
import { createRemoteChromium } from '../../../drivers/browser/remote.ts';
import type { Config } from '../../../src/config/config.ts';
import { createGuard } from '../../../src/egress/guard.ts';
import type { Browser } from '../../../src/ports/browser.ts';
import type { Camera } from '../../../src/ports/camera.ts';
import type { Network } from '../../../src/ports/network.ts';
import { createEgressProxy, GREETING } from './egress-proxy.ts';

interface Needs {
  config: Pick<
    Config,
    | 'BROWSER_PROXY_URL'
    | 'BROWSER_URL'
    | 'CHROMIUM_PATH'
    | 'CHROMIUM_SANDBOX'
    | 'DATA_DIR'
    | 'EGRESS_ALLOW'
    | 'HOST'
    | 'loopback'
  >;
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
  const { BROWSER_URL: url, BROWSER_PROXY_URL: place } = config;
  // Pages may not use the operator's address mapping for the gateway's own calls.
  const guard = createGuard({ config: { ...config, UPSTREAM_MAP: [] }, network });
  const listen = place === undefined ? {} : { host: config.HOST, port: portOf(place) };
  const proxy = createEgressProxy(guard, url === undefined ? {} : { ...listen, asksPassword: true });
  const folder = resolve(config.DATA_DIR, 'browsers');
  const chromium =
    url === undefined
      ? createChromium({
          folder,
          path: config.CHROMIUM_PATH,
          sandbox: config.CHROMIUM_SANDBOX,
          environment: environmentOf(env),
          proxy: () => proxy.address(),
        })
      : createRemoteChromium({
          folder,
          url,
          locate: locateBy(network),
          proxy: async () => {
            const own = await proxy.address();
            const address = place === undefined ? own : new URL(place).host;
            return { ...proxy.admit(), address, greeting: GREETING };
          },
        });
  return {
    ...chromium,
    async close() {
      await chromium.close();
      proxy.close();
    },
  };
}

/** The operator has chosen the browser, so it may have a private address. */
function locateBy(network: Needs['network']): (host: string) => Promise<string> {
  const guard = createGuard({ config: { EGRESS_ALLOW: [], UPSTREAM_MAP: [], loopback: true }, network });
  return async (host) => (await guard.vet(new URL(`http://${host}`)))[0];
}

const portOf = (url: string): number => Number(new URL(url).port || 80);

/** Returns null where the operator wants no pictures of jots. */
export function createNodeCamera(
  config: Pick<Config, 'BROWSER_URL' | 'CHROMIUM_PATH' | 'CHROMIUM_SANDBOX' | 'JOT_THUMBNAILS'>,
  env: NodeJS.ProcessEnv,
): Camera | null {
  // Without flags of our own, a browser elsewhere cannot be kept from every network.
  if (!config.JOT_THUMBNAILS || config.BROWSER_URL !== undefined) return null;
  const { CHROMIUM_PATH: path, CHROMIUM_SANDBOX: sandbox } = config;
  return createChromiumCamera({ path, sandbox, environment: environmentOf(env) });
}

function environmentOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}
