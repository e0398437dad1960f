// Opens the drivers over the bindings of a Worker, for one request at a time.
import { createR2Blobs } from '../../drivers/blobs/r2.ts';
import { createS3Blobs } from '../../drivers/blobs/s3.ts';
import { createSqlPending } from '../../drivers/pending/sql.ts';
import { createAssetGuides } from '../../drivers/guides/asset.ts';
import { openD1 } from '../../drivers/sql/d1.ts';
import type { Engine } from '../../drivers/sql/engine.ts';
import { openLazily } from '../../drivers/sql/lazy-schema.ts';
import { openPostgres } from '../../drivers/sql/postgres.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { integrations } from '../../integrations/all.ts';
import type { Config } from '../../src/config/config.ts';
import type { GatewayPorts } from '../../src/deps.ts';
import { enabledProviders } from '../../src/login/providers.ts';
import type { Blobs } from '../../src/ports/blobs.ts';
import type { Bindings } from './bindings.ts';
import type { Isolate } from './isolate.ts';

export function openPorts(bindings: Bindings, isolate: Isolate): GatewayPorts {
  const engine = openLazily(openEngine(bindings), isolate.schema);
  return {
    ...isolate,
    integrations,
    guides: createAssetGuides(isolate.assets),
    blobs: openBlobs(bindings, isolate.config),
    browser: null,
    camera: null,
    isIsolated: true,
    mail: null,
    // The platform ends an isolate itself, and no request waits for another here.
    memory: Infinity,
    pending: createSqlPending(engine, isolate.clock),
    store: createSqlStore(engine, { hasSignInProvider: enabledProviders(isolate.config).length > 0 }),
  };
}

function openBlobs({ BLOBS: bucket }: Bindings, config: Config): Blobs {
  const { BLOBS_URL: place, S3_ACCESS_KEY_ID: accessKeyId = '', S3_SECRET_ACCESS_KEY: key = '' } = config;
  if (place.kind === 's3') return createS3Blobs({ ...place, accessKeyId, secretAccessKey: key });
  if (bucket !== undefined) return createR2Blobs(bucket);
  throw new TypeError('a Worker needs a binding BLOBS (R2), or BLOBS_URL=s3://…');
}

function openEngine({ DB, HYPERDRIVE }: Bindings): Engine {
  // One connection for statements and one for batches; the platform keeps a pool behind it.
  if (HYPERDRIVE !== undefined) return openAgain(() => openPostgres(HYPERDRIVE.connectionString, { max: 2 }));
  if (DB !== undefined) return openD1(DB);
  throw new TypeError('a Worker needs a binding DB (D1) or HYPERDRIVE (PostgreSQL)');
}

/** A connection ends with the request that opened it. After a close, the next query opens new ones. */
function openAgain(open: () => Engine): Engine {
  let engine: Engine | null = open();
  const { dialect, maxParameters } = engine;
  const opened = () => (engine ??= open());
  return {
    dialect,
    maxParameters,
    run: (query) => opened().run(query),
    batch: (queries) => opened().batch(queries),
    setUp: (statements) => opened().setUp(statements),
    async close() {
      const ended = engine;
      engine = null;
      await ended?.close();
    },
  };
}
