// Tests that two processes refresh the grant of the team once, however many people use it. reference: Token refresh; Team connections
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVERYONE } from '../../src/ports/store.ts';
import { TEAM_ACCOUNT } from '../../src/ports/team.ts';
import { openEmptyPostgres, openEmptySqlite, storeOn } from '../contracts/store/open.ts';
import type { OpenStore } from '../contracts/store-contract.ts';
import { fixtures, probed } from '../support/fixtures.ts';
import { call } from '../support/mcp.ts';
import { openProbedStand, type ProbedStand } from '../support/probed-stand.ts';
import { describeService, postgresUrl } from '../support/services.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

function refreshOn(name: string, openStore: () => Promise<OpenStore>): void {
  describe(`the grant of the team on ${name}`, () => {
    let opening: OpenStore;
    let stand: ProbedStand;
    let other: TestApp;

    beforeEach(async () => {
      opening = await openStore();
      // The database is closed when it is removed.
      const store = { ...opening.store, close: async () => {} };
      stand = await openProbedStand({ ports: { store } });
      const { clock } = stand.app;
      const ports = { integrations: [probed, ...fixtures], store, clock };
      other = await createTestApp({ env: stand.provider.env, ports });
    });
    afterEach(async () => {
      await other.close();
      await stand.close();
      await opening.close();
    });

    const refreshes = () => stand.provider.seen.filter((line) => line === 'POST /token').length;

    it('is refreshed once, however many people and processes use it', async () => {
      await stand.signIn();
      const { vault } = stand.app.deps;
      const { store } = opening;
      const [own] = await store.connections.of(stand.ana.id, 'probed');
      if (own === undefined) throw new Error('nobody has signed in');
      await vault.saveForTeam(stand.ana.id, 'probed', {
        accessToken: (await vault.open(own, 'access_token')) ?? '',
        refreshToken: await vault.open(own, 'refresh_token'),
        expiresAt: own.expires_at,
        scopes: own.scopes,
        way: 'oauth2',
      });
      await store.connections.delete(own.user_id, own.integration, own.account);
      await store.team.change('probed', { who: 'everyone', access: 'write' }, own.created_at);
      const before = refreshes();
      stand.app.clock.advance(3_600);
      const people = [stand.ana, await stand.app.user('bob@example.com')];
      const executions = Array.from({ length: 5 }, () => ({ tool: 'probed_get', args: { path: '/x' } }));
      const answers = await Promise.all(
        [stand.app, other].flatMap((app) =>
          people.map(({ keyHeader }) => call(app, keyHeader, 'execute_tools', { executions })),
        ),
      );
      const results = answers.flatMap((answer) => answer.results);
      expect(results).toHaveLength(20);
      for (const each of results) expect(each).toMatchObject({ account: 'team', result: { status: 200 } });
      expect(refreshes() - before).toBe(1);
      const row = await store.connections.get(EVERYONE, 'probed', TEAM_ACCOUNT);
      const stored = row && (await vault.open(row, 'access_token'));
      expect(stand.provider.grants.map(({ access }) => access)).toEqual([stored]);
    });
  });
}

refreshOn('SQLite', () => storeOn(openEmptySqlite()));
await describeService('PostgreSQL', postgresUrl(), () =>
  refreshOn('PostgreSQL', () => storeOn(openEmptyPostgres())),
);
