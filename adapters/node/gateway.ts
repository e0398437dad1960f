// Runs the gateway in this process: reads the environment, opens the drivers, builds the app, and listens.
import { handleSignals } from './stop-signals.ts';
import { createApp } from '../../src/app.ts';
import { createDeps } from '../../src/deps.ts';
import { describe } from '../../src/http/errors.ts';
import { STOP_LOCAL_CALLS_MS, STOP_SWEEP_MS } from './stop-limits.ts';
import { createLiveView } from '../../src/live-view/live-view.ts';
import { createScim } from '../../src/scim/scim.ts';
import { maintain } from '../../src/maintenance/sweep.ts';
import { banner, warn } from './first-words.ts';
import { localOwner } from './owner.ts';
import { createPeers } from './cluster/peers.ts';
import { onPrimaryGone, READY, readRole, SHARES_PORTS } from './cluster/role.ts';
import { createSharedCounts } from './cluster/shared-counts.ts';
import { openPorts } from './ports.ts';
import { readNodeConfig } from './secret-files.ts';
import { localSecret } from './secrets.ts';
import { createCurlProxy } from './curl-proxy/curl-proxy.ts';
import { createJotFiles } from './fast-path/jot-files.ts';
import { requireFreePort, serve } from './server.ts';
import { trimMemorySoon } from './trim-memory.ts';

// Names are resolved on these threads, on at most half of them at once. With four threads, two names that
// never resolve would delay every call.
process.env['UV_THREADPOOL_SIZE'] ??= '64';

const stopping = new AbortController();

async function start(): Promise<void> {
  const config = readNodeConfig(process.env, localSecret);
  const role = readRole(process.env);
  const ports = await openPorts(config, { workers: role?.of, waitsForKeys: true });
  const { log } = ports;
  const peers = role === null ? null : createPeers(role, ports.integrations);
  const deps = await createDeps({
    ...ports,
    metrics: peers?.share(ports.metrics) ?? ports.metrics,
    sharedCounts: role === null ? undefined : createSharedCounts(role),
  });
  const proxy = createCurlProxy(deps);
  const liveView = createLiveView({ ...deps, browser: ports.browser });
  const app = createApp(deps, { liveView: liveView.routes, scim: createScim(deps), compresses: true });
  const beside = { proxy, peers, jotFiles: createJotFiles(deps), clock: deps.clock };
  const sharesPort = role !== null && SHARES_PORTS;
  const options = { fastPath: config.FAST_PATH, host: config.HOST, sharesPort };
  if (sharesPort && role.announces) await requireFreePort(config.PORT, config.HOST);
  const server = await serve(app.fetch, beside, config.PORT, options).catch(async (error: unknown) => {
    await ports.close();
    throw error;
  });
  // There may be requests from now on, and a stop lets them finish. Under npm a signal often arrives twice, once to the
  // group and once forwarded; the second one changes nothing.
  handleSignals(() => void stop());
  const maintenance = maintain(deps, stopping.signal);
  await peers?.listen(server.answer);
  if (role !== null) await onPrimaryGone(() => void stop());
  const firstWords = role?.announces === false ? null : await banner(config, await localOwner(deps));
  if (stopping.signal.aborted) return;
  process.on('unhandledRejection', (error) => log.write('error', 'unhandled rejection', describe(error)));
  if (firstWords !== null) console.log(firstWords);
  const { HOST: host, SERVER_PUBLIC_URL: base } = config;
  log.write('info', 'listening', {
    host,
    port: server.port,
    base,
    worker: role?.number,
    pid: role === null ? undefined : process.pid,
  });
  if (role !== null) process.send?.(READY);
  if (firstWords !== null) await warn(ports, deps, stopping.signal);
  // A server may take a while to start.
  void deps.imports
    .start(stopping.signal)
    .catch((error: unknown) => log.write('error', 'mcp servers', describe(error)));
  trimMemorySoon();

  async function stop(): Promise<void> {
    if (stopping.signal.aborted) return;
    stopping.abort();
    liveView.close();
    const stopped = server.stop();
    // A program that does not answer must not hold up the stop: its calls fail when it ends.
    await Promise.race([stopped, deps.clock.sleep(STOP_LOCAL_CALLS_MS)]);
    await ports.localServers?.close();
    await stopped;
    await peers?.close();
    await proxy.close();
    await deps.mcp.close();
    // A call that was cut off may still wait for its upstream. It ends here, so that it has an audit row.
    await ports.network.close();
    // The next sweep finds whatever this one leaves.
    await Promise.race([
      Promise.allSettled([maintenance, deps.executions.none()]),
      deps.clock.sleep(STOP_SWEEP_MS),
    ]);
    await Promise.all([deps.audit.flush(), deps.callDetails.flush(), deps.jots.views.flush()]);
    log.write('info', 'stopped');
    await ports.close();
    process.exit(0);
  }
}

try {
  await start();
} catch (error) {
  // A stop may close the database while the start still uses it.
  if (!stopping.signal.aborted) fail(error);
}

function fail(error: unknown): never {
  console.error(error instanceof Error && !isOurMistake(error) ? error.message : error);
  process.exit(1);
}

// Mistakes of the machine or the operator have their own messages; a stack trace helps only with bugs.
function isOurMistake(error: Error): boolean {
  return ['TypeError', 'RangeError', 'ReferenceError'].includes(error.name);
}
