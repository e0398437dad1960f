// Tests the application in two processes behind one port: each request goes to the process that had not the one before.
// decision: 010
import { openDoor } from '../support/each-worker.ts';
import { openSite } from '../support/gateway-process.ts';
import { appContract } from './app-contract.ts';

appContract('Node with two workers, SQLite and files', async (env) => {
  const site = await openSite();
  const gateway = await site.start({ env: { ...env, WORKERS: '2' } });
  await gateway.says('"worker":2');
  const doors = [openDoor(gateway, 1), openDoor(gateway, 2)];
  let requests = 0;
  return {
    publicUrl: gateway.base,
    request: (path, init) => {
      const door = doors[requests++ % doors.length];
      if (door === undefined) throw new Error('no worker');
      return door.request(path, init);
    },
    proxies: true,
    async close() {
      await Promise.all(doors.map((door) => door.close()));
      await gateway.stop();
      await site.close();
    },
  };
});
