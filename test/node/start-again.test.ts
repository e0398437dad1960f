// Tests starts on a database that another key or a newer version has written. reference: Secrets at rest; decision: 005, 009
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openAt } from '../contracts/store/open-at.ts';
import { openSite, type Site } from '../support/gateway-process.ts';
import { createPostgresSchema, describeService, postgresUrl } from '../support/services.ts';

let site: Site;
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site.close());

const key = () => randomBytes(32).toString('hex');

it('serves under another encryption key, and logs one error that names the cure', async () => {
  const [own, other] = [key(), key()];
  const first = await site.start({ env: { ENCRYPTION_KEY: own } });
  const headers = { 'x-service-api-key': first.apiKey };
  await first.stop();
  expect(first.output.stdout).not.toContain('"level":"error"');

  const wrong = await site.start({ env: { ENCRYPTION_KEY: other } });
  await wrong.says('ENCRYPTION_KEY is not the key of this database');
  expect((await wrong.request('/rest', { headers })).status).toBe(200);
  await wrong.stop();
  const errors = wrong.output.stdout.split('\n').filter((line) => line.includes('"level":"error"'));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('Set the key that was used until now as ENCRYPTION_KEY_PREVIOUS');

  const cured = await site.start({ env: { ENCRYPTION_KEY: other, ENCRYPTION_KEY_PREVIOUS: own } });
  await cured.stop();
  expect(cured.output.stdout).not.toContain('"level":"error"');
});

/** Starts once, lets a newer version change the database, and starts again. */
async function startAfterNewer(databaseUrl: string, env: Record<string, string>): Promise<void> {
  await (await site.start({ env })).stop();
  const database = openAt(databaseUrl);
  await database.run(
    CompiledQuery.raw("update gateway set program = '9.1.0', oldest_program = '9.0.0' where id = 'gateway'"),
  );
  await database.close();
  const refused = await site.spawn({ env });
  expect(await refused.exited).toEqual({ code: 1, signal: null });
  expect(refused.output.stdout).not.toContain('listening');
  const said = refused.output.stderr.trim();
  expect(said).toContain(' cannot be used: a newer version of this program has changed it.');
  expect(said).toContain('It needs version 9.0.0 or newer');
  expect(said).toContain('Start version 9.1.0, or restore the backup');
  expect(said.split('\n')).toHaveLength(1);
}

const REFUSES =
  'refuses a database that a newer version has changed, with a sentence instead of a stack trace';

it(REFUSES, () => startAfterNewer(`sqlite:${join(site.dataDir, 'service.db')}`, {}));

await describeService('PostgreSQL', postgresUrl(), () => {
  it(REFUSES, async () => {
    const { url, drop } = await createPostgresSchema();
    try {
      await startAfterNewer(url, { DATABASE_URL: url });
    } finally {
      await site.close();
      await drop();
    }
  });
});
