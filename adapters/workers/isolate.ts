// What all requests of an isolate share: no connections and no promises, because on this platform one request
// cannot wait for work that another began.
import { createBoundAssets } from '../../drivers/assets/binding.ts';
import { createNoAssets } from '../../drivers/assets/none.ts';
import { createPortableHasher } from '../../drivers/hasher/bcrypt-ts.ts';
import { countTwice } from '../../drivers/metrics/both.ts';
import { createTextMetrics } from '../../drivers/metrics/text.ts';
import { createFetchNetwork } from '../../drivers/network/fetch.ts';
import { createNameLookUp } from '../../drivers/network/name-look-up.ts';
import type { SchemaSeen } from '../../drivers/sql/lazy-schema.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createLineLog } from '../../drivers/system/log.ts';
import { createNodeDigest } from '../../drivers/system/node-digest.ts';
import { createSystemRandom } from '../../drivers/system/random.ts';
import { openEdgeTelemetry } from '../../drivers/telemetry/edge.ts';
import { createAssetTexts } from '../../drivers/texts/asset.ts';
import { createZlibGunzip } from '../../drivers/gunzip/zlib.ts';
import { integrations } from '../../integrations/all.ts';
import { ConfigError, type Problem } from '../../src/config/config-error.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import { createShared, type GatewayPorts, type Shared } from '../../src/deps.ts';
import { type Bindings, environmentOf } from './bindings.ts';

export interface Isolate extends Pick<
  GatewayPorts,
  | 'assets'
  | 'clock'
  | 'digest'
  | 'gunzip'
  | 'hasher'
  | 'localServers'
  | 'log'
  | 'metrics'
  | 'network'
  | 'random'
  | 'texts'
  | 'tracer'
> {
  config: Config;
  schema: SchemaSeen;
  shared: Shared;
  /** Null where nothing is exported. */
  telemetry: ReturnType<typeof openEdgeTelemetry> | null;
}

const NAME_SERVER = 'https://cloudflare-dns.com/dns-query';

export function openIsolate(bindings: Bindings): Isolate {
  const missing = missingBindings(bindings);
  if (missing.length > 0) throw new ConfigError(missing);
  const config = readConfig(environmentOf(bindings), missingSecret);
  const clock = createSystemClock();
  // The platform's function needs its own `this`, so it is wrapped.
  const fetchHere: typeof fetch = (input, init) => fetch(input, init);
  const random = createSystemRandom();
  // The platform collects log lines itself.
  const log = createLineLog(
    (line) => console.log(line.trimEnd()),
    Date.now,
    (flush) => flush(),
    config.LOG_LEVEL,
  );
  const telemetry =
    config.telemetry === null ? null : openEdgeTelemetry(config.telemetry, { fetch: fetchHere, log, random });
  const assets = bindings.ASSETS === undefined ? createNoAssets() : createBoundAssets(bindings.ASSETS);
  return {
    assets,
    config,
    clock,
    digest: createNodeDigest(),
    gunzip: createZlibGunzip(),
    localServers: null,
    hasher: createPortableHasher(),
    log,
    metrics: countTwice(createTextMetrics(), telemetry?.counts ?? null),
    network: createFetchNetwork({
      fetch: fetchHere,
      lookUp: createNameLookUp({ fetch: fetchHere, clock, server: NAME_SERVER }),
    }),
    random,
    schema: { complete: false },
    shared: createShared({ clock }),
    telemetry,
    texts: createAssetTexts(assets, integrations),
    tracer: telemetry?.tracer ?? null,
  };
}

function missingBindings(bindings: Bindings): Problem[] {
  const { DB, HYPERDRIVE, BLOBS } = bindings;
  const problems: Problem[] = [];
  if (DB === undefined && HYPERDRIVE === undefined)
    problems.push({
      name: 'DB',
      message: 'must be a D1 database, unless HYPERDRIVE is a PostgreSQL connection',
    });
  if (BLOBS === undefined && environmentOf(bindings)['BLOBS_URL'] === undefined)
    problems.push({ name: 'BLOBS', message: 'must be an R2 bucket, unless BLOBS_URL is s3://<bucket>…' });
  return problems;
}

// A Worker has no disk where a secret could be stored.
function missingSecret(name: string): string {
  // Without this one nothing is sealed.
  if (name === 'AUDIT_SIGNING_KEY') return '';
  throw new ConfigError([
    { name, message: `must be set: openssl rand -hex 32 | npx wrangler secret put ${name}` },
  ]);
}
