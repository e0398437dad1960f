// Tests that strangers cannot fill the store: what begins a sign-in leaves no row.
// reference: Authorize tickets; decision: 075
import { CompiledQuery } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { tables } from '../../drivers/sql/tables.ts';
import { authorizeQuery, registered } from '../support/oauth-client.ts';
import { PROVIDERS, useSignIns } from '../support/sign-ins.ts';
import type { TestApp } from '../support/test-app.ts';

/** Returns how many rows each table has. */
async function countRows(app: TestApp): Promise<Record<string, number>> {
  const engine = openSqlite(`${app.folder}/service.db`);
  const counts: Record<string, number> = {};
  for (const table of Object.keys(tables)) {
    const { rows } = await engine.run(CompiledQuery.raw(`select count(*) as rows from ${table}`));
    counts[table] = Number(Object.values(rows[0] ?? {})[0]);
  }
  await engine.close();
  return counts;
}

describe('what begins a sign-in', () => {
  const { stand, back, begin, open } = useSignIns();

  it('leaves no row, however often it begins', async () => {
    const app = stand.app;
    const client = await registered(app);
    const before = await countRows(app);
    for (let count = 0; count < 50; count++) {
      for (const name of PROVIDERS) expect((await app.request(`/api/auth/${name}`)).status).toBe(200);
      expect((await app.request(authorizeQuery(client))).status).toBe(302);
      expect((await app.request(authorizeQuery(client, { state: 'x'.repeat(2_048) }))).status).toBe(302);
    }
    expect(await countRows(app)).toEqual(before);
  });

  it('leaves no row when a person is asked for consent', async () => {
    const asking = await open({ OAUTH_CONSENT: 'always' });
    const client = await registered(asking);
    const before = await countRows(asking);
    for (let count = 0; count < 50; count++)
      expect((await asking.request(authorizeQuery(client))).status).toBe(200);
    expect(await countRows(asking)).toEqual(before);
    await asking.close();
  });

  it('leaves one short row for each state that comes back, and none for states that are not ours', async () => {
    const before = await countRows(stand.app);
    for (const name of PROVIDERS) {
      const state = await begin(name);
      for (let count = 0; count < 10; count++) await back(name, { error: 'access_denied', state });
      for (const state of ['x', 'f'.repeat(64), `${'x'.repeat(200)}.${'y'.repeat(200)}`])
        await back(name, { code: 'code', state });
    }
    expect(await countRows(stand.app)).toEqual({ ...before, leases: (before['leases'] ?? 0) + 2 });
  });

  it('leaves nothing once a state has expired', async () => {
    for (const name of PROVIDERS) await back(name, { error: 'access_denied', state: await begin(name) });
    stand.app.clock.advance(660);
    await stand.app.deps.store.sweep(stand.app.clock.now());
    expect(await countRows(stand.app)).toMatchObject({ flows: 0, leases: 0 });
  });
});
