// The store over any SQL engine. Every operation is one statement or one atomic batch, so no engine needs an
// interactive transaction.
import type { Store } from '../../src/ports/store.ts';
import { createAudit } from './audit.ts';
import { createConnections } from './connections.ts';
import type { Engine } from './engine.ts';
import { createFlows } from './flows.ts';
import { createJots } from './jots.ts';
import { createLeases } from './leases.ts';
import { createClients, createCodes } from './oauth.ts';
import { prepare } from './prepare.ts';
import { createRefreshTokens } from './refresh-tokens.ts';
import { createSql } from './sql.ts';
import { createUsers } from './users.ts';

export function createSqlStore(engine: Engine): Store {
  const sql = createSql(engine);
  const expiring = ['flows', 'jot_leftovers', 'leases', 'oauth_codes', 'refresh_tokens'] as const;
  const sweeps = expiring.map((table) =>
    prepare((p: { now: number }) => sql.db.deleteFrom(table).where('expires_at', '<=', p.now)),
  );

  return {
    users: createUsers(sql),
    connections: createConnections(sql),
    flows: createFlows(sql),
    leases: createLeases(sql),
    clients: createClients(sql),
    codes: createCodes(sql),
    refreshTokens: createRefreshTokens(sql),
    jots: createJots(sql),
    audit: createAudit(sql),
    async sweep(now) {
      // Runs the deletes one after the other, so that two sweeps cannot deadlock.
      for (const expired of sweeps) await sql.change(expired({ now }));
    },
    close: () => engine.close(),
  };
}
