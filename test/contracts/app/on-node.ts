// Starts the gateway in a Node process for the application suite.
import { openSite } from '../../support/gateway-process.ts';
import type { Running } from './world.ts';

/** Starts one process. `close` stops the process and then calls `removeGround` for the services below it. */
export async function startOnNode(
  env: Record<string, string>,
  removeGround: () => Promise<void> = async () => {},
): Promise<Running & { origin: string }> {
  const site = await openSite();
  const gateway = await site.start({ env });
  return {
    origin: gateway.base,
    publicUrl: env['SERVER_PUBLIC_URL'] ?? gateway.base,
    request: (path, init) => gateway.request(path, { redirect: 'manual', ...init }),
    proxies: true,
    async close() {
      await gateway.stop();
      await site.close();
      await removeGround();
    },
  };
}
