// Opens the drivers that the configuration chooses. Only the chosen one is loaded, because each one costs time and memory at every start.
import { createFsBlobs } from '../../drivers/blobs/fs.ts';
import { createSmtpMail } from '../../drivers/mail/smtp.ts';
import { createSqlPending } from '../../drivers/pending/sql.ts';
import { openMemoryPending } from '../../drivers/pending/unstorage.ts';
import { createSchema, type Engine } from '../../drivers/sql/engine.ts';
import { notifyStatement } from '../../drivers/sql/notify.ts';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import type { LineLog } from '../../drivers/system/log.ts';
import type { Outages } from './outages.ts';
import type { Config } from '../../src/config/config.ts';
import { classifyAddress } from '../../src/egress/addresses.ts';
import { createGuard } from '../../src/egress/guard.ts';
import { describe } from '../../src/http/errors.ts';
import type { Blobs } from '../../src/ports/blobs.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import type { Mail } from '../../src/ports/mail.ts';
import type { Network } from '../../src/ports/network.ts';
import type { PendingConnections } from '../../src/ports/pending.ts';
import type { Telemetry } from '../../src/ports/telemetry.ts';
import { type Part, Unavailable } from '../../src/ports/unavailable.ts';
import type { Wakes } from '../../src/ports/wakes.ts';
import { using } from './paths.ts';
import { watchRedis } from './watched.ts';

const MAX_CONNECTIONS = 10;
/** PostgreSQL takes 100 by default, of which three are for its administrator. Several gateways and commands need some too. */
const CONNECTIONS_OF_ALL_WORKERS = 80;

/** The connections to PostgreSQL of each worker: more than the server takes would fail calls. */
const connectionsOf = (workers: number): number =>
  Math.max(2, Math.min(MAX_CONNECTIONS, Math.floor(CONNECTIONS_OF_ALL_WORKERS / workers)));

/** The packages take 9 MB and 25 ms or more, so only a gateway that exports loads them. */
export async function openTelemetry({ telemetry }: Config, log: LineLog): Promise<Telemetry | null> {
  if (telemetry === null) return null;
  return (await import('../../drivers/telemetry/opentelemetry.ts')).openTelemetry(telemetry, log);
}

export async function openDatabase(config: Config, workers: number): Promise<Engine> {
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

/** Where a place of the audit log is a bucket or a folder. */
export async function openAuditPlace(
  place: Config['AUDIT_HEADS'] | Config['AUDIT_PUSH'],
  config: Config,
): Promise<Blobs | undefined> {
  return place?.kind === 's3' || place?.kind === 'fs' ? openBlobs(place, config) : undefined;
}

export async function openBlobs(
  place: Config['BLOBS_URL'],
  { S3_ACCESS_KEY_ID: accessKeyId = '', S3_SECRET_ACCESS_KEY: secretAccessKey = '' }: Config,
  part?: Part,
): Promise<Blobs> {
  switch (place.kind) {
    case 'fs':
      return using(`${place.path} of blobs`, () => createFsBlobs(place.path));
    case 's3':
      return (await import('../../drivers/blobs/s3.ts')).createS3Blobs({
        ...place,
        part,
        accessKeyId,
        secretAccessKey,
      });
  }
}

/** The operator has chosen the server, so it may have a private address. */
export function openMail({ SMTP_URL: server, MAIL_FROM: from }: Config, network: Network): Mail | null {
  if (server === undefined || from === undefined) return null;
  const guard = createGuard({ config: { EGRESS_ALLOW: [], UPSTREAM_MAP: [], loopback: true }, network });
  return createSmtpMail({
    ...server,
    from,
    async locate(host) {
      const [address] = await guard.vet(new URL(`https://${host.includes(':') ? `[${host}]` : host}`));
      return { address, isOwnNetwork: classifyAddress(address) !== 'public' };
    },
  });
}

export async function openPending(
  { PENDING_STORE: choice }: Config,
  engine: Engine,
  clock: Clock,
  outages: Outages,
): Promise<PendingConnections> {
  switch (choice.kind) {
    case 'memory':
      return openMemoryPending(clock);
    case 'database':
      return createSqlPending(engine, clock);
    case 'redis':
      return watchRedis(await openRedis(choice.url, clock, outages), outages);
  }
}

/** Absent where one machine has all processes: they tell each other by their primary, or look. */
export async function openWakes(
  { DATABASE_URL: database, PENDING_STORE: pending }: Config,
  engine: Engine,
): Promise<Wakes | undefined> {
  // Redis comes first: a pooler in front of PostgreSQL may break LISTEN.
  if (pending.kind === 'redis')
    return (await import('../../drivers/wakes/redis.ts')).createRedisWakes(pending.url);
  if (database.kind !== 'postgres') return undefined;
  const { CHANNEL, createPostgresWakes } = await import('../../drivers/wakes/postgres.ts');
  return createPostgresWakes(database.url, (text) => engine.run(notifyStatement(CHANNEL, text)));
}

async function openRedis(url: string, clock: Clock, { log }: Outages): Promise<PendingConnections> {
  const { openRedisPending } = await import('../../drivers/pending/redis.ts');
  return openRedisPending(url, clock, (reason) =>
    log.write('error', 'redis cannot be used', { away: 'redis', ...describe(reason) }),
  );
}
