// Lets the outages know when a database, Redis or a blob store answers again.
import type { Engine } from '../../drivers/sql/engine.ts';
import type { Outages } from './outages.ts';
import type { Blobs } from '../../src/ports/blobs.ts';
import type { PendingConnections } from '../../src/ports/pending.ts';
import type { Part } from '../../src/ports/unavailable.ts';

const READS = /^select\b/i;

export function watchDatabase(engine: Engine, { watch }: Outages): Engine {
  const part = 'database';
  return {
    ...engine,
    run: (query) => watch({ part, writes: !READS.test(query.sql) }, () => engine.run(query)),
    batch: (queries) =>
      watch({ part, writes: queries.some(({ sql }) => !READS.test(sql)) }, () => engine.batch(queries)),
  };
}

export function watchRedis(pending: PendingConnections, { watch }: Outages): PendingConnections {
  const operation = { part: 'redis', writes: true } as const;
  return {
    ...pending,
    put: (record, most) => watch(operation, () => pending.put(record, most)),
    get: (id) => watch(operation, () => pending.get(id)),
    count: (userId) => watch(operation, () => pending.count(userId)),
    connect: (userId, integration) => watch(operation, () => pending.connect(userId, integration)),
  };
}

export function watchBlobs(blobs: Blobs, part: Part, { watch }: Outages): Blobs {
  return {
    ...blobs,
    put: (key, body) => watch({ part, writes: true }, () => blobs.put(key, body)),
    get: (key, range) => watch({ part, writes: false }, () => blobs.get(key, range)),
  };
}
