// Opens the drivers of a Node process as the configuration chooses them.
import { availableParallelism } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { createFsAssets } from '../../drivers/assets/fs.ts';
import { createMemoryGuides } from '../../drivers/guides/memory.ts';
import { createZlibGunzip } from '../../drivers/gunzip/zlib.ts';
import { createNodeHasher } from '../../drivers/hasher/node-bcrypt.ts';
import { countTwice } from '../../drivers/metrics/both.ts';
import { createPromMetrics } from '../../drivers/metrics/prom.ts';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { createQuickJsRunner } from '../../drivers/scripts/quickjs.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { createLastBackup } from './backup/last-backup.ts';
import { createOutages } from './outages.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createLineLog, type LineLog } from '../../drivers/system/log.ts';
import { createNodeDigest } from '../../drivers/system/node-digest.ts';
import { createSystemRandom } from '../../drivers/system/random.ts';
import { integrations } from '../../integrations/all.ts';
import { createCarriedTexts } from '../../drivers/texts/carried.ts';
import { searchTables } from '../../src/search/tables.ts';
import { guides } from '../../integrations/guides.ts';
import type { Config } from '../../src/config/config.ts';
import type { GatewayPorts } from '../../src/deps.ts';
import { enabledProviders } from '../../src/login/providers.ts';
import type { Browser } from '../../src/ports/browser.ts';
import { createNodeBrowser, createNodeCamera } from './live-view/browser.ts';
import { openOutsideKeys } from './outside-keys.ts';
import { loadServersFile, openLocalServers } from './local-servers.ts';
import {
  openAuditPlace,
  openBlobs,
  openDatabase,
  openMail,
  openPending,
  openTelemetry,
  openWakes,
} from './chosen-drivers.ts';
import { PORTAL_DIR, SCRIPT_FILES, WORKER_URL } from './paths.ts';
import { watchBlobs, watchDatabase } from './watched.ts';

// The share of the heap that calls may use; the oldest call may take as much again.
const CALLS_PART = 3;

export interface NodePorts extends GatewayPorts {
  browser: Browser;
  log: LineLog;
  /** What the operator should know about the file of MCP_SERVERS. */
  serverWarnings: readonly string[];
  close(): Promise<void>;
}

interface Options {
  /** stderr for a command whose stdout is its result. */
  logTo?: NodeJS.WriteStream;
  /** How many processes this gateway has. */
  workers?: number | undefined;
  /** Whether to wait for a key of another service that is away. */
  waitsForKeys?: boolean;
}

export async function openPorts(
  given: Config,
  { logTo = process.stdout, workers = 1, waitsForKeys = false }: Options = {},
): Promise<NodePorts> {
  const clock = createSystemClock(setImmediate);
  const serversFile = loadServersFile(given, process.env);
  const opened = await openDatabase(given, workers);
  // When the disk is full or the reader has gone, log lines are lost and nothing else happens.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const lines = createLineLog((chunk) => logTo.write(chunk), Date.now, setImmediate, given.LOG_LEVEL);
  const outages = createOutages(lines, clock);
  const log = { ...outages.log, flush: () => lines.flush() };
  const engine = watchDatabase(opened, outages);
  const store = createSqlStore(engine, { hasSignInProvider: enabledProviders(given).length > 0 });
  const network = createUndiciNetwork();
  const config = await openOutsideKeys(given, { clock, log, network, store }, waitsForKeys).catch(
    async (error: unknown) => {
      await Promise.allSettled([network.close(), store.close()]);
      throw error;
    },
  );
  const pending = await openPending(config, engine, clock, outages);
  // A command exports nothing, and waits for nothing.
  const wakes = logTo === process.stderr ? undefined : await openWakes(config, engine);
  const telemetry = logTo === process.stderr ? null : await openTelemetry(config, log);
  const part = config.BLOBS_URL.kind === 's3' ? 'bucket' : 'files';
  const hasher = createNodeHasher({ workerUrl: WORKER_URL });
  // One processor of the machine stays free for the gateway, whatever scripts do.
  const scriptRunner = createQuickJsRunner({
    ...SCRIPT_FILES,
    computing: Math.max(1, Math.floor((availableParallelism() - 1) / workers)),
  });
  const browser = createNodeBrowser({ config, network }, process.env);
  const camera = createNodeCamera(config, process.env);
  const localServers =
    serversFile === null ? null : openLocalServers(serversFile, config, { log, clock }, process.env);
  return {
    config,
    integrations,
    assets: createFsAssets(PORTAL_DIR),
    auditHeads: await openAuditPlace(config.AUDIT_HEADS, config),
    auditPush: await openAuditPlace(config.AUDIT_PUSH, config),
    blobs: watchBlobs(await openBlobs(config.BLOBS_URL, config, part), part, outages),
    browser,
    camera,
    clock,
    digest: createNodeDigest(),
    guides: createMemoryGuides(guides),
    gunzip: createZlibGunzip(),
    lastBackup: createLastBackup(config),
    localServers,
    hasher,
    log,
    mail: openMail(config, network),
    memory: getHeapStatistics().heap_size_limit / CALLS_PART,
    metrics: countTwice(createPromMetrics(), telemetry?.counts ?? null),
    network,
    pending,
    random: createSystemRandom(),
    scriptRunner,
    serverWarnings: serversFile?.warnings ?? [],
    store,
    texts: createCarriedTexts(searchTables),
    tracer: telemetry?.tracer ?? null,
    wakes,
    async close() {
      await Promise.allSettled([
        telemetry?.close(),
        browser.close(),
        camera?.close(),
        localServers?.close(),
        pending.close(),
        wakes?.close(),
        scriptRunner.close(),
        hasher.close(),
        network.close(),
      ]);
      await store.close();
      log.flush();
    },
  };
}
