// Opens the ports of the gateway in a process of its own and starts each server of the file once, so that a test can kill
// the process.
import { openPorts } from '../../adapters/node/ports.ts';
import { localSecret } from '../../adapters/node/secrets.ts';
import { readConfig } from '../../src/config/config.ts';

const { localServers } = await openPorts(readConfig(process.env, localSecret));
if (localServers === null) throw new Error('MCP_SERVERS is not set');
for (const { name } of localServers.servers) {
  const started = await localServers.start(name, {});
  await new Promise<void>((resolve) => (started.onMessage = () => resolve()));
}
console.log('all started');
