// Opens the drivers of a Node process as the configuration chooses them.
import { getHeapStatistics } from 'node:v8';
import { createFsAssets } from '../../drivers/assets/fs.ts';
import { createFsBlobs } from '../../drivers/blobs/fs.ts';
import { createZlibGunzip } from '../../drivers/gunzip/zlib.ts';
import { createNodeHasher } from '../../drivers/hasher/node-bcrypt.ts';
import { countTwice } from '../../drivers/metrics/both.ts';
import { createPromMetrics } from '../../drivers/metrics/prom.ts';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { createSqlPending } from '../../drivers/pending/sql.ts';
import { openMemoryPending } from '../../drivers/pending/unstorage.ts';
import { createSchema, type Engine } from '../../drivers/sql/engine.ts';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createLineLog, type LineLog } from '../../drivers/system/log.ts';
import { createNodeDigest } from '../../drivers/system/node-digest.ts';
import { createSystemRandom } from '../../drivers/system/random.ts';
import { integrations } from '../../integrations/all.ts';
import type { Config } from '../../src/config/config.ts';
import type { GatewayPorts } from '../../src/deps.ts';
import type { Blobs } from '../../src/ports/blobs.ts';
import type { Browser } from '../../src/ports/browser.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { describe } from '../../src/http/errors.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import type { PendingConnections } from '../../src/ports/pending.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { createNodeBrowser, createNodeCamera } from './live-view/browser.ts';
import { loadServersFile, openLocalServers } from './local-servers.ts';
import { PORTAL_DIR, using, WORKER_URL } from './paths.ts';

// The share of the heap that calls may use; the oldest call may take as much again.
const CALLS_PART = 3;

const MAX_CONNECTIONS = 10;
/** PostgreSQL takes 100 by default, of which three are for its administrator. Several gateways and commands need some too. */
const CONNECTIONS_OF_ALL_WORKERS = 80;

/** The connections to PostgreSQL of each worker: more than the server takes would fail calls. */
const connectionsOf = (workers: number): number =>
  Math.max(2, Math.min(MAX_CONNECTIONS, Math.floor(CONNECTIONS_OF_ALL_WORKERS / workers)));

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
}

export async function openPorts(
  config: Config,
  { logTo = process.stdout, workers = 1 }: Options = {},
): Promise<NodePorts> {
  const clock = createSystemClock(setImmediate);
  const serversFile = loadServersFile(config, process.env);
  const engine = await openDatabase(config, workers);
  const store = createSqlStore(engine);
  // When the disk is full or the reader has gone, log lines are lost and nothing else happens.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const log = createLineLog((chunk) => logTo.write(chunk), Date.now, setImmediate, config.LOG_LEVEL);
  const pending = await openPending(config, engine, clock, log);
  // A command exports nothing.
  const telemetry = logTo === process.stderr ? null : await openTelemetry(config, log);
  const hasher = createNodeHasher({ workerUrl: WORKER_URL });
  const network = createUndiciNetwork();
  const browser = createNodeBrowser({ config, network }, process.env);
  const camera = createNodeCamera(config, process.env);
  const localServers =
    serversFile === null ? null : openLocalServers(serversFile, { log, clock }, process.env);
  return {
    config,
    integrations,
    assets: createFsAssets(PORTAL_DIR),
    auditHeads: await openAuditHeads(config),
    blobs: await openBlobs(config.BLOBS_URL, config),
    browser,
    camera,
    clock,
    digest: createNodeDigest(),
    gunzip: createZlibGunzip(),
    localServers,
    hasher,
    log,
    memory: getHeapStatistics().heap_size_limit / CALLS_PART,
    metrics: countTwice(createPromMetrics(), telemetry?.counts ?? null),
    network,
    pending,
    random: createSystemRandom(),
    serverWarnings: serversFile?.warnings ?? [],
    store,
    tracer: telemetry?.tracer ?? null,
    async close() {
      await Promise.allSettled([
        telemetry?.close(),
        browser.close(),
        camera?.close(),
        localServers?.close(),
        pending.close(),
        hasher.close(),
        network.close(),
      ]);
      await store.close();
      log.flush();
    },
  };
}

/** The packages take 9 MB and 25 ms or more, so only a gateway that exports loads them. */
async function openTelemetry({ telemetry }: Config, log: LineLog): Promise<Telemetry | null> {
  if (telemetry === null) return null;
  return (await import('../../drivers/telemetry/opentelemetry.ts')).openTelemetry(telemetry, log);
}

async function openDatabase(config: Config, workers: number): Promise<Engine> {
  const { DATABASE_URL: database } = config;
  let engine: Engine | undefined;
  try {
    engine = await openEngine(config, workers);
    await createSchema(engine);
    return engine;
  } catch (error) {
    await engine?.close();
    if (!(error instanceof Unavailable || error instanceof DriverFailure)) throw error;
    const which = database.kind === 'sqlite' ? database.path : 'of DATABASE_URL';
    throw new Error(`The database ${which} cannot be used: ${error.message}`, { cause: error });
  }
}

// Loads only the driver that was chosen, because each one costs time and memory at every start.
export async function openEngine(
  { DATABASE_URL: database }: Pick<Config, 'DATABASE_URL'>,
  workers = 1,
): Promise<Engine> {
  switch (database.kind) {
    case 'sqlite':
      return openSqlite(database.path);
    case 'postgres':
      return (await import('../../drivers/sql/postgres.ts')).openPostgres(database.url, {
        max: connectionsOf(workers),
      });
  }
}

async function openAuditHeads(config: Config): Promise<Blobs | undefined> {
  const { AUDIT_HEADS: place } = config;
  return place === undefined || place.kind === 'webhook' ? undefined : openBlobs(place, config);
}

async function openBlobs(
  place: Config['BLOBS_URL'],
  { S3_ACCESS_KEY_ID: accessKeyId = '', S3_SECRET_ACCESS_KEY: secretAccessKey = '' }: Config,
): Promise<Blobs> {
  switch (place.kind) {
    case 'fs':
      return using(`${place.path} of blobs`, () => createFsBlobs(place.path));
    case 's3':
      return (await import('../../drivers/blobs/s3.ts')).createS3Blobs({
        ...place,
        accessKeyId,
        secretAccessKey,
      });
  }
}

async function openPending(
  { PENDING_STORE: choice }: Config,
  engine: Engine,
  clock: Clock,
  log: LineLog,
): Promise<PendingConnections> {
  switch (choice.kind) {
    case 'memory':
      return openMemoryPending(clock);
    case 'database':
      return createSqlPending(engine, clock);
    case 'redis':
      return (await import('../../drivers/pending/redis.ts')).openRedisPending(choice.url, clock, (reason) =>
        log.write('warn', 'redis cannot be reached', describe(reason)),
      );
  }
}
