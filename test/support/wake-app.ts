// Opens the whole application on a shared database, where only another process can wake a reader: nobody looks by the clock.
import { createSqlStore } from '../../drivers/sql/store.ts';
import { notifyStatement } from '../../drivers/sql/notify.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { CHANNEL, createPostgresWakes } from '../../drivers/wakes/postgres.ts';
import { createRedisWakes } from '../../drivers/wakes/redis.ts';
import { LOOK_MS } from '../../src/events/limits.ts';
import { openAt } from '../contracts/store/open-at.ts';
import { createTestApp, type TestApp } from './test-app.ts';

export interface WakePlace {
  database: string;
  /** Absent for the wakes of the database. */
  redis?: string | undefined;
}

export async function openWakeApp({ database, redis }: WakePlace): Promise<TestApp> {
  const engine = openAt(database);
  const wakes =
    redis === undefined
      ? createPostgresWakes(database, (text) => engine.run(notifyStatement(CHANNEL, text)))
      : createRedisWakes(redis);
  const clock = createSystemClock(setImmediate);
  const later: typeof clock.later = (ms, run) => (ms >= LOOK_MS ? () => {} : clock.later(ms, run));
  const app = await createTestApp({
    ports: { store: createSqlStore(engine), clock: { ...clock, later }, wakes },
  });
  return {
    ...app,
    async close() {
      await wakes.close();
      await app.close();
    },
  };
}

export interface ReadJob {
  place: WakePlace;
  apiKey: string;
}
