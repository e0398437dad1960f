// Runs an npm proxy before one upstream, configured for speed as in its documentation.
import { createServer, Agent, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [name = '', folder = '', port = '', upstream = ''] = process.argv.slice(2);
const load = createRequire(join(folder, 'package.json'));

const peers: Record<string, () => RequestListener> = {
  'fast-proxy'() {
    const { proxy } = load('fast-proxy')({ base: upstream, undici: { connections: 128, pipelining: 1 } });
    return (incoming, outgoing) => proxy(incoming, outgoing, incoming.url, {});
  },
  'http-proxy'() {
    const agent = new Agent({ keepAlive: true, maxSockets: 128 });
    const proxy = load('http-proxy').createProxyServer({ target: upstream, agent });
    return (incoming, outgoing) => proxy.web(incoming, outgoing);
  },
};

const listener = peers[name]?.();
createServer(listener).listen(Number(port));
