// Runs the Node gateway in its own process with the shipped and the test integrations.
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { createJotFiles } from '../../adapters/node/fast-path/jot-files.ts';
import { openPorts } from '../../adapters/node/ports.ts';
import { localSecret } from '../../adapters/node/secrets.ts';
import { serve } from '../../adapters/node/server.ts';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { createDeps } from '../../src/deps.ts';
import { fixtures } from './fixtures.ts';

const config = readConfig(process.env, localSecret);
const ports = await openPorts(config);
const deps = await createDeps({ ...ports, integrations: [...ports.integrations, ...fixtures] });
const beside = { proxy: createCurlProxy(deps), jotFiles: createJotFiles(deps), clock: deps.clock };
const { port } = await serve(createApp(deps).fetch, beside, config.PORT, { fastPath: config.FAST_PATH });
ports.log.write('info', 'listening', { port });
