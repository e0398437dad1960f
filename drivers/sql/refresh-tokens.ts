// Refresh tokens: one live row per family, whose key changes at each rotation.
import { NO_LIMITS } from '../../src/ports/policy.ts';
import type { RefreshToken } from '../../src/ports/records.ts';
import type { RefreshTokens, Rotation } from '../../src/ports/store.ts';
import { endApprovals } from './approvals.ts';
import { prepare } from './prepare.ts';
import type { Rotations } from './schema.ts';
import type { Sql } from './sql.ts';

const RECORD = [
  'token_hash',
  'family',
  'client_id',
  'user_id',
  'scope',
  'created_at',
  'expires_at',
  'resource',
] as const satisfies (keyof RefreshToken)[];

/** The `token_hash` of a family without a token. No token has it, because it is no digest. */
const BEGUN = 'begun ';
export const begunHash = (family: string): string => `${BEGUN}${family}`;

export function createRefreshTokens({ db, all, one, change, batch }: Sql): RefreshTokens {
  const start = prepare((p: { begun: string; token_hash: string; expires_at: number }) =>
    db
      .updateTable('refresh_tokens')
      .set({ token_hash: p.token_hash, expires_at: p.expires_at })
      .where('token_hash', '=', p.begun),
  );
  // An UPDATE of the key has exactly one winner, and a revocation that waits for it still finds the row. With
  // a DELETE and an INSERT, the new token would survive such a revocation on PostgreSQL. The row does not
  // grow with rotations: a token names its family, so the row needs to keep only the last two.
  const rename = prepare((p: Rotation) =>
    db
      .updateTable('refresh_tokens')
      .set((row) => ({
        token_hash: p.next,
        expires_at: p.expires_at,
        previous_hash: p.presented,
        rotated_at: p.now,
        earlier_hash: row.ref('previous_hash'),
        previous_rotated_at: row.ref('rotated_at'),
      }))
      .where('token_hash', '=', p.presented)
      .where('client_id', '=', p.client_id)
      .where('expires_at', '>', p.now)
      .returning((row) => [
        ...RECORD,
        row
          .selectFrom('users')
          .select('users.id')
          .whereRef('users.id', '=', 'refresh_tokens.user_id')
          .where('users.disabled_at', 'is', null)
          .as('person'),
      ]),
  );
  const burn = prepare((p: Rotation) =>
    db.deleteFrom('refresh_tokens').where('token_hash', '=', p.presented),
  );
  const adopt = prepare((p: Rotation) =>
    db.updateTable('refresh_tokens').set({ family: p.family }).where('token_hash', '=', p.next),
  );
  const rotationsOf = prepare((p: Rotation) =>
    db
      .selectFrom('refresh_tokens')
      .select(['previous_hash', 'rotated_at', 'earlier_hash', 'previous_rotated_at', 'created_at'])
      .where('family', '=', p.family),
  );
  const list = prepare((p: { user: string; now: number }) =>
    db
      .selectFrom('refresh_tokens')
      .select(RECORD)
      .where('user_id', '=', p.user)
      .where('expires_at', '>', p.now)
      .where('token_hash', 'not like', `${BEGUN}%`)
      .orderBy('created_at')
      .orderBy('token_hash'),
  );
  const revokeFamily = prepare((p: { family: string }) =>
    db.deleteFrom('refresh_tokens').where('family', '=', p.family),
  );
  const revoke = (table: 'oauth_codes' | 'refresh_tokens') =>
    prepare((p: { user: string; client: string }) =>
      db.deleteFrom(table).where('user_id', '=', p.user).where('client_id', '=', p.client),
    );
  const revokeCodes = revoke('oauth_codes');
  const revokeTokens = revoke('refresh_tokens');
  const forgetUnlimited = prepare((p: { user: string; client: string }) =>
    db
      .deleteFrom('agent_grants')
      .where('user_id', '=', p.user)
      .where('client_id', '=', p.client)
      .where('limits', '=', NO_LIMITS)
      .where('expires_at', 'is', null)
      .where('paused_at', 'is', null),
  );
  const endLimited = prepare((p: { user: string; client: string; now: number }) =>
    db
      .updateTable('agent_grants')
      .set({ limits: NO_LIMITS, expires_at: p.now, updated_at: p.now })
      .where('user_id', '=', p.user)
      .where('client_id', '=', p.client),
  );
  const end = endApprovals(db);

  return {
    async start({ family, token_hash, expires_at }) {
      await change(start({ begun: begunHash(family), token_hash, expires_at }));
    },
    async rotate(rotation) {
      const { family, presented } = rotation;
      const renamed = await one(rename(rotation));
      if (renamed !== null) {
        const { person, ...token } = renamed;
        // A token of an older version of this program did not name its family; its successor does.
        if (token.family !== family) await change(adopt(rotation));
        return { outcome: 'rotated', token: { ...token, family }, hasUser: person !== null };
      }
      if ((await change(burn(rotation))) > 0) return { outcome: 'burned' };
      const live = await one(rotationsOf(rotation));
      const rotated_at = live === null ? null : rotationOf(presented, live);
      return rotated_at === null ? { outcome: 'unknown' } : { outcome: 'reused', family, rotated_at };
    },
    list: (user, now) => all(list({ user, now })),
    async revokeFamily(family) {
      await change(revokeFamily({ family }));
    },
    async revokeClient(user, client, now) {
      const [, tokens] = await batch([
        revokeCodes({ user, client }),
        revokeTokens({ user, client }),
        forgetUnlimited({ user, client }),
        // Without the row, access tokens that are out would be free of their limits.
        endLimited({ user, client, now }),
        end.ofCaller({ user, caller: `client:${client}` }),
      ]);
      return tokens.changes;
    },
  };
}

/** When another token replaced this one; null if it was never replaced. */
function rotationOf(presented: string, live: Rotations & Pick<RefreshToken, 'created_at'>): number | null {
  if (presented === live.previous_hash) return live.rotated_at;
  if (presented === live.earlier_hash) return live.previous_rotated_at;
  // Nothing is kept of older tokens. A client that rotates quickly must not make a theft look recent.
  return live.previous_rotated_at === null ? null : live.created_at;
}
