// The child process of race-app.ts.
import { openRaceApp, race, type RaceAnswer, type RaceJob } from './race-app.ts';
import type { TestApp } from './test-app.ts';

let app: TestApp | undefined;

async function work(job: RaceJob): Promise<RaceAnswer[]> {
  if (job === 'close') {
    await app?.close();
    return [];
  }
  if ('requests' in job) return app === undefined ? [] : race(app, job.requests);
  app = await openRaceApp(job.open.url, job.open.env);
  // Opens the connections now, so that opening them does not slow the requests of the race.
  await race(app, [
    { path: '/api/auth/providers' },
    { path: '/token', form: { grant_type: 'refresh_token', refresh_token: 'x' } },
  ]);
  return [];
}

process.on('message', (job: RaceJob) => {
  work(job).then(
    (answers) => process.send?.(answers),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
